/** The style model at the edge of its module: one import for everything that reads or makes styles. */

export type * from '../data/filter/expression.ts';
export type * from '../data/filter/filter.ts';
export type * from '../data/filter/geometry-literal.ts';
export { createLiteral, readLiteralNumber, readLiteralText } from '../data/filter/literal.ts';
export { deepFreeze } from '../lib/deep-freeze.ts';
export { namedColors } from '../lib/named-colors.ts';
export type * from './model/color-map.ts';
export { findColorMapEntries } from './model/color-map.ts';
export type * from './model/description.ts';
export type * from './model/paint.ts';
export { findFirstStyleName, listGraphicHrefs } from './model/references.ts';
export type * from './model/styled-layer-descriptor.ts';
export type * from './model/symbolizer.ts';
