/** What a header may claim and a reader may ask for, before any memory is taken for it. */

const MEBIBYTE = 1024 * 1024;

/** Of one answer: a map of 8,000 by 8,000 pixels in four bands. */
export const MAX_WINDOW_BYTES = 256 * MEBIBYTE;

/** Of one tile, strip, row or whole picture that can only be unpacked at once: twenty times what writers make. */
export const MAX_BLOCK_BYTES = 256 * MEBIBYTE;

/** Of one side; more than any instrument or printer has, and products of two stay exact. */
export const MAX_SIDE_PIXELS = 2 ** 31 - 1;

/** A measurement has some hundred; each is described on its own. */
export const MAX_BANDS = 65_535;

/** Reduced pictures, masks and pages of one file. */
export const MAX_DIRECTORIES = 4_096;

/** Values of an axis of which each is told; an hour of a century is 876,600. */
export const MAX_AXIS_VALUES = 1_000_000;

/** Texts beside a picture, and texts within it: more than any definition has. */
export const MAX_TEXT_BYTES = 1_048_576;
