/** The documents of the granule index: its schema, and granules as collections. */
import type { GranulesView } from '../../catalog/mosaics/granules.ts';
import type { DocumentWriter } from '../../http/documents/document.ts';
import type { OutputNode, ResourcePath } from '../../http/serialization/output-tree.ts';
import type { GranuleAttribute, GranuleValueType } from '../../raster/granules/port/port.ts';
import { getCoveragePath } from '../coverages/representation.ts';

/** The Java class names that the reference server uses for the types. */
const bindings: Readonly<Record<GranuleValueType, string>> = {
  string: 'java.lang.String',
  integer: 'java.lang.Integer',
  long: 'java.lang.Long',
  float: 'java.lang.Float',
  double: 'java.lang.Double',
  date: 'java.util.Date',
  timestamp: 'java.sql.Timestamp',
};

function getBinding(attribute: GranuleAttribute): string {
  switch (attribute.role) {
    case 'footprint':
      return 'org.locationtech.jts.geom.Polygon';
    case 'location':
      return bindings.string;
    case 'imageindex':
      return bindings.integer;
    case 'value':
      return bindings[attribute.type];
  }
}

export function getGranulesPath(view: GranulesView): ResourcePath {
  return [...getCoveragePath(view), 'index', 'granules'];
}

/** The index of one coverage of a mosaic. */
export const granuleSchemaDocument: DocumentWriter<GranulesView> = {
  root: 'Schema',
  schemaName: 'GranuleSchema',
  schema: {
    type: 'object',
    properties: {
      Schema: {
        type: 'object',
        properties: {
          attributes: {
            type: 'object',
            properties: {
              Attribute: {
                type: 'array',
                items: {
                  type: 'object',
                  properties: {
                    name: { type: 'string' },
                    minOccurs: { type: 'integer' },
                    maxOccurs: { type: 'integer' },
                    nillable: { type: 'boolean' },
                    binding: { type: 'string', description: 'Java class of its values.' },
                  },
                },
              },
            },
          },
          href: { type: 'string', format: 'uri', description: 'Link to the granules.' },
        },
      },
    },
    required: ['Schema'],
  },
  write: (view) => ({
    root: 'Schema',
    title: `Granule index of ${view.coverage.name}`,
    node: {
      kind: 'object',
      members: [
        {
          name: 'attributes',
          node: {
            kind: 'list',
            itemName: 'Attribute',
            items: view.granules.schema.attributes.map(buildAttributeNode),
          },
        },
      ],
      link: getGranulesPath(view),
    },
  }),
};

function buildAttributeNode(attribute: GranuleAttribute): OutputNode {
  const values = {
    name: attribute.name,
    minOccurs: 0,
    maxOccurs: 1,
    nillable: true,
    binding: getBinding(attribute),
  };
  return {
    kind: 'object',
    members: Object.entries(values).map(([name, value]) => ({ name, node: { kind: 'value', value } })),
  };
}

/** GeoJSON, or GML 2 in XML; the collections format themselves. */
export const granuleCollection: DocumentWriter<never> = {
  root: 'FeatureCollection',
  schemaName: 'GranuleCollection',
  schema: {
    type: 'object',
    properties: {
      type: { type: 'string', enum: ['FeatureCollection'] },
      features: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            type: { type: 'string', enum: ['Feature'] },
            id: { type: 'string', examples: ['watertemp.1'] },
            geometry: { type: 'object', description: 'A polygon.' },
            properties: { type: 'object', description: 'Values by attribute name.', additionalProperties: true },
          },
        },
      },
    },
    required: ['type', 'features'],
  },
  xmlRoot: 'wfs:FeatureCollection',
  xmlExample:
    '<wfs:FeatureCollection><gml:featureMember><gf:watertemp fid="watertemp.1"><gf:location>a.tif</gf:location></gf:watertemp></gml:featureMember></wfs:FeatureCollection>',
  write: () => {
    throw new Error('Collections of granules format themselves');
  },
};
