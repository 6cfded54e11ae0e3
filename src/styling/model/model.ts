/** The public interface of the style model. */

export type * from '../../filter/model/expression.ts';
export type * from '../../filter/model/filter.ts';
export type * from '../../filter/model/geometry-literal.ts';
export { createLiteral, readLiteralNumber, readLiteralText } from '../../filter/model/literal.ts';
export { deepFreeze } from '../../lib/values/deep-freeze.ts';
export type * from './color-map.ts';
export { findColorMapEntries } from './color-map.ts';
export type * from './description.ts';
export type * from './paint.ts';
export { findFirstStyleName, listGraphicHrefs } from './references.ts';
export type * from './styled-layer-descriptor.ts';
export type * from './symbolizer.ts';
