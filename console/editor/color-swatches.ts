/** A small square in its colour before each colour of the text. */
import { type Range, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
  WidgetType,
} from '@codemirror/view';
import { colorPattern } from '../style-text/find-value.ts';

class ColorWidget extends WidgetType {
  readonly #color: string;

  constructor(color: string) {
    super();
    this.#color = color;
  }

  override eq(other: ColorWidget): boolean {
    return other.#color === this.#color;
  }

  override toDOM(): HTMLElement {
    const square = document.createElement('span');
    square.className = 'cm-color';
    square.setAttribute('aria-hidden', 'true');
    square.style.setProperty('background-color', this.#color);
    return square;
  }
}

function findColors({ visibleRanges, state }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const found: Range<Decoration>[] = visibleRanges.flatMap(({ from, to }) =>
    [...state.sliceDoc(from, to).matchAll(colorPattern)].map(({ index, 0: color }) =>
      Decoration.widget({ widget: new ColorWidget(color) }).range(from + index),
    ),
  );
  for (const { from, to, value } of found) builder.add(from, to, value);
  return builder.finish();
}

export const colorSwatches = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = findColors(view);
    }

    update(update: ViewUpdate): void {
      if (update.docChanged || update.viewportChanged) this.decorations = findColors(update.view);
    }
  },
  { decorations: ({ decorations }) => decorations },
);
