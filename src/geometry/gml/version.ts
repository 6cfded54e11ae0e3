/** The supported GML versions, each with the collection of its WFS version. */

export type GmlVersion = '2.1.2' | '3.1.1' | '3.2.1';

export interface GmlVocabulary {
  readonly gml: string;
  readonly gmlSchema: string;
  readonly wfs: string;
  readonly wfsSchema: string;
}

export const vocabularies: Readonly<Record<GmlVersion, GmlVocabulary>> = {
  '2.1.2': {
    gml: 'http://www.opengis.net/gml',
    gmlSchema: 'http://schemas.opengis.net/gml/2.1.2/feature.xsd',
    wfs: 'http://www.opengis.net/wfs',
    wfsSchema: 'http://schemas.opengis.net/wfs/1.0.0/WFS-basic.xsd',
  },
  '3.1.1': {
    gml: 'http://www.opengis.net/gml',
    gmlSchema: 'http://schemas.opengis.net/gml/3.1.1/base/gml.xsd',
    wfs: 'http://www.opengis.net/wfs',
    wfsSchema: 'http://schemas.opengis.net/wfs/1.1.0/wfs.xsd',
  },
  '3.2.1': {
    gml: 'http://www.opengis.net/gml/3.2',
    gmlSchema: 'http://schemas.opengis.net/gml/3.2.1/gml.xsd',
    wfs: 'http://www.opengis.net/wfs/2.0',
    wfsSchema: 'http://schemas.opengis.net/wfs/2.0/wfs.xsd',
  },
};

export const XSI = 'http://www.w3.org/2001/XMLSchema-instance';

export function isGmlNamespace(uri: string): boolean {
  return Object.values(vocabularies).some(({ gml }) => gml === uri);
}
