/** Sizes of labels that a style does not state, in pixels. */

/** The size of a font without a size. */
export const DEFAULT_FONT_PIXELS = 10;

/** The size of labels without a font. */
export const PIXELS_WITHOUT_FONT = 12;
