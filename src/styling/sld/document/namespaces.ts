/** The namespaces of style documents. */

export const sldNamespace = 'http://www.opengis.net/sld';
export const seNamespace = 'http://www.opengis.net/se';
export const ogcNamespace = 'http://www.opengis.net/ogc';
export const gmlNamespace = 'http://www.opengis.net/gml';
export const xlinkNamespace = 'http://www.w3.org/1999/xlink';
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/**
 * Returns whether elements of the namespace can be part of a style. Real documents mix these namespaces or omit them,
 * and no local name has different meanings in two of them, so all are accepted.
 */
export function isStyleNamespace(uri: string): boolean {
  return uri === sldNamespace || uri === seNamespace || uri === ogcNamespace || uri === gmlNamespace || uri === '';
}
