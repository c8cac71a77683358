// A list of rows of one height that draws only what is in view, so that 5,000 steps open and scroll like 50.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Listed } from "./state";

interface Props<T> {
  id: string;
  label: string;
  items: Listed<T>[];
  height: number; // of a row, px
  selected: number; // index, not place in the list
  open: (index: number) => void;
  row: (item: T, index: number) => ComponentChildren;
}

const spare = 8; // rows drawn beyond each edge

export function Virtual<T>(p: Props<T>) {
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [view, setView] = useState(600);
  useEffect(() => {
    const el = box.current!;
    const watch = new ResizeObserver(() => setView(el.clientHeight));
    watch.observe(el);
    return () => watch.disconnect();
  }, []);
  const place = p.items.findIndex((l) => l.index === p.selected);
  useLayoutEffect(() => {
    const el = box.current!;
    if (place < 0) return;
    const from = place * p.height;
    if (from < el.scrollTop) el.scrollTop = from;
    else if (from + p.height > el.scrollTop + el.clientHeight) el.scrollTop = from + p.height - el.clientHeight + p.height;
    setTop(el.scrollTop);
  }, [place, p.items]);
  const first = Math.max(Math.floor(top / p.height) - spare, 0);
  const last = Math.min(Math.ceil((top + view) / p.height) + spare, p.items.length);
  return (
    <div class="list" id={p.id} ref={box} role={p.items.length > 0 ? "listbox" : "group"} tabIndex={0} aria-label={p.label}
      aria-activedescendant={place >= 0 ? `${p.id}-${p.selected}` : undefined} onScroll={(e) => setTop(e.currentTarget.scrollTop)}>
      <div class="list-all" style={{ height: `${p.items.length * p.height}px` }}>
        {p.items.slice(first, last).map((l, i) => (
          <div key={l.index} id={`${p.id}-${l.index}`} class="row" role="option" aria-selected={l.index === p.selected}
            aria-posinset={first + i + 1} aria-setsize={p.items.length}
            style={{ height: `${p.height}px`, transform: `translateY(${(first + i) * p.height}px)` }}
            onClick={() => p.open(l.index)}>
            {p.row(l.item, l.index)}
          </div>
        ))}
      </div>
      {p.items.length === 0 && <p class="nothing">Nothing matches.</p>}
    </div>
  );
}
