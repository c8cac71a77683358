package hub

// Remembered is how many devices, workspaces and clients the hub holds in memory.
func (h *Hub) Remembered() (devices, workspaces, clients int) {
	h.workspaces.mu.Lock()
	defer h.workspaces.mu.Unlock()
	return h.devices.Len(), len(h.workspaces.byRoot), len(h.clients.All())
}
