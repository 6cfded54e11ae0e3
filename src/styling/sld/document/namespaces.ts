/** The namespaces of style documents. */

export const sldNamespace = 'http://www.opengis.net/sld';
export const seNamespace = 'http://www.opengis.net/se';
export const ogcNamespace = 'http://www.opengis.net/ogc';
export const gmlNamespace = 'http://www.opengis.net/gml';
export const xlinkNamespace = 'http://www.w3.org/1999/xlink';
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/**
 * Whether an element of that namespace can be part of a style. Documents in the field mix these up, or have none at
 * all, and no local name means different things in two of them: so any of them will do.
 */
export function isStyleNamespace(uri: string): boolean {
  return uri === sldNamespace || uri === seNamespace || uri === ogcNamespace || uri === gmlNamespace || uri === '';
}
