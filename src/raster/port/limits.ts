/** Limits for header values and requests, checked before memory is allocated. */

const MEBIBYTE = 1024 * 1024;

/** The limit of one response: a map of 8,000 by 8,000 pixels in four bands. */
export const MAX_WINDOW_BYTES = 256 * MEBIBYTE;

/** The limit of a tile, strip, row or image that must be unpacked as a whole: twenty times the usual size. */
export const MAX_BLOCK_BYTES = 256 * MEBIBYTE;

/** The limit of a side; products of two sides stay exact. */
export const MAX_SIDE_PIXELS = 2 ** 31 - 1;

/** Real data has some hundred bands; each is described separately. */
export const MAX_BANDS = 65_535;

/** Overviews, masks and pages of one file. */
export const MAX_DIRECTORIES = 4_096;

/** The values of an axis, which are listed individually; hourly data of a century has 876,600. */
export const MAX_AXIS_VALUES = 1_000_000;

/** The limit of texts in companion files and in headers. */
export const MAX_TEXT_BYTES = 1_048_576;
