/** The style model at the edge of its module: one import for everything that reads or makes styles. */

export type * from '../data/filter/expression.ts';
export type * from '../data/filter/filter.ts';
export type * from '../data/filter/geometry-literal.ts';
export { literal, literalNumber, literalText } from '../data/filter/literal.ts';
export { deepFreeze } from '../lib/deep-freeze.ts';
export { namedColors } from '../lib/named-colors.ts';
export type * from './model/color-map.ts';
export { colorMapEntries } from './model/color-map-entries.ts';
export type * from './model/description.ts';
export type * from './model/feature-type-style.ts';
export type * from './model/fill.ts';
export type * from './model/foreign-element.ts';
export type * from './model/graphic.ts';
export type * from './model/label.ts';
export type * from './model/layer.ts';
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
