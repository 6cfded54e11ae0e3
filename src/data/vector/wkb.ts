/** Geometries as bytes: well-known binary, in its ISO form and in PostGIS's, to and from the flat model. */
export { decodeWkb } from './wkb-decode.ts';
export { encodeWkb } from './wkb-encode.ts';
export { WkbError } from './wkb-error.ts';
