/** The style model at the edge of its module: one import for everything that reads or makes styles. */

export { deepFreeze } from '../lib/deep-freeze.ts';
export type * from './model/color-map.ts';
export { colorMapEntries } from './model/color-map-entries.ts';
export type * from './model/description.ts';
export type * from './model/expression.ts';
export type * from './model/feature-type-style.ts';
export type * from './model/fill.ts';
export type * from './model/filter.ts';
export type * from './model/foreign-element.ts';
export type * from './model/geometry-literal.ts';
export type * from './model/graphic.ts';
export type * from './model/label.ts';
export type * from './model/layer.ts';
export { literal, literalNumber, literalText } from './model/literal.ts';
export { namedColors } from './model/named-colors.ts';
export type * from './model/point.ts';
export type * from './model/raster-symbolizer.ts';
export { firstStyleName, graphicHrefs } from './model/references.ts';
export type * from './model/rule.ts';
export type * from './model/stroke.ts';
export type * from './model/styled-layer-descriptor.ts';
export type * from './model/symbolizer.ts';
export type * from './model/unit-of-measure.ts';
export type * from './model/user-style.ts';
export type * from './model/vendor-option.ts';
