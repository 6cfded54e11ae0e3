/** Style sheets (GeoCSS), at the edge of their module. */

export { type CssLimits, cssLimits } from './css/css-limits.ts';
export { type ReadCss, readCss } from './css/reader.ts';
export type * from './css/stylesheet.ts';
