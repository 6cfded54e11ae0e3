/** Public interface of the Filter Encoding 1.0, 1.1 and 2.0 module. */
export { readFilterElement } from './condition.ts';
export { readXmlExpression, readXmlExpressions } from './expression.ts';
export type { XmlFilterContext } from './filter-context.ts';
export { readXmlFilter } from './reader.ts';
