// Two web components. The rating's shadow tree is open, the stepper's is closed: a page may hide its parts from scripts,
// but not from the people who use it.
class StarRating extends HTMLElement {
  static formAssociated = true;
  #internals = this.attachInternals();
  value = 0;
  connectedCallback() {
    const root = this.attachShadow({ mode: "open" });
    root.innerHTML = `<style>button{font-size:1.5rem;line-height:1;background:none;border:0;color:#cfc6b2;cursor:pointer;padding:2px}button[aria-pressed=true]{color:#b9542a}</style>
      <span role="group" aria-label="Rating">${[1, 2, 3, 4, 5].map((n) => `<button type="button" aria-label="${n} ${n === 1 ? "star" : "stars"}" aria-pressed="false">★</button>`).join("")}</span>`;
    root.querySelectorAll("button").forEach((b, i) => b.addEventListener("click", () => {
      this.value = i + 1;
      this.#internals.setFormValue(String(this.value));
      root.querySelectorAll("button").forEach((c, j) => c.setAttribute("aria-pressed", String(j <= i)));
    }));
  }
}

class QtyStepper extends HTMLElement {
  value = 1;
  connectedCallback() {
    const root = this.attachShadow({ mode: "closed" });
    const min = Number(this.getAttribute("min") ?? 1), max = Number(this.getAttribute("max") ?? 99);
    this.value = Number(this.getAttribute("value") ?? min);
    root.innerHTML = `<style>:host{display:inline-flex;border:1px solid #cfc6b2;border-radius:999px;overflow:hidden}button{font:inherit;font-size:1.1rem;width:2.4rem;border:0;background:#fff;cursor:pointer}button:disabled{color:#bbb}output{min-width:2.2rem;text-align:center;align-self:center;font-variant-numeric:tabular-nums}</style>
      <button type="button" aria-label="One less">−</button><output aria-label="Quantity">${this.value}</output><button type="button" aria-label="One more">+</button>`;
    const [less, more] = root.querySelectorAll("button"), out = root.querySelector("output");
    const show = () => { out.textContent = String(this.value); less.disabled = this.value <= min; more.disabled = this.value >= max; };
    less.addEventListener("click", () => { this.value--; show(); });
    more.addEventListener("click", () => { this.value++; show(); });
    show();
  }
}

customElements.define("star-rating", StarRating);
customElements.define("qty-stepper", QtyStepper);
