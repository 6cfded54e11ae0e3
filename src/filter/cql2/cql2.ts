/** CQL2, the filters of OGC APIs in their text and JSON forms, at the edge of its module. */
export { readCql2Json } from './json-reader.ts';
export { readCql2Text } from './text-reader.ts';
