/** Dragging an item of a list with the pointer: the document changes only when the item is dropped. */

/** Calls `onDrop` with the old and the new index; Esc and a cancelled pointer leave the order as it is. */
export function startDrag(
  event: PointerEvent,
  list: HTMLElement | null,
  onDrop: (from: number, to: number) => void,
): void {
  const rows = [...(list?.children ?? [])].filter((each): each is HTMLElement => each instanceof HTMLElement);
  const from = rows.findIndex((row) => event.target instanceof Node && row.contains(event.target));
  const dragged = rows[from];
  if (list === null || dragged === undefined) return;
  const boxes = rows.map((row) => row.getBoundingClientRect());
  const own = boxes[from] ?? dragged.getBoundingClientRect();
  const neighbour = boxes[from + 1] ?? own;
  // With the gap between two items.
  const step = from + 1 < boxes.length ? neighbour.top - own.top : own.height;
  let to = from;
  list.dataset['dragging'] = 'yes';
  dragged.dataset['dragged'] = 'yes';

  const follow = (next: PointerEvent) => {
    const distance = next.clientY - event.clientY;
    const center = own.top + own.height / 2 + distance;
    to = boxes.filter((box, index) => index !== from && box.top + box.height / 2 < center).length;
    rows.forEach((row, index) => {
      const isPassed = index > from ? index <= to : index < from && index >= to;
      const offset = index === from ? distance : isPassed ? (index > from ? -step : step) : 0;
      row.style.setProperty('transform', `translateY(${offset}px)`);
    });
  };
  const end = (isDropped: boolean) => {
    removeEventListener('pointermove', follow);
    removeEventListener('pointerup', drop);
    removeEventListener('pointercancel', cancel);
    removeEventListener('keydown', onKey, true);
    for (const row of rows) row.style.removeProperty('transform');
    delete list.dataset['dragging'];
    delete dragged.dataset['dragged'];
    if (isDropped && to !== from) onDrop(from, to);
  };
  const drop = () => end(true);
  const cancel = () => end(false);
  const onKey = (key: KeyboardEvent) => {
    if (key.key !== 'Escape') return;
    key.stopPropagation();
    end(false);
  };
  addEventListener('pointermove', follow);
  addEventListener('pointerup', drop);
  addEventListener('pointercancel', cancel);
  addEventListener('keydown', onKey, true);
}
