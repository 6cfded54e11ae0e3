import { describe, expect, it } from 'vitest';
import { readXml } from '../../../lib/xml/reader.ts';
import { readWfsCapabilities } from '../../../vector/wfs/capabilities.ts';
import { listOperations } from '../request/operations.ts';
import { wfsVersions } from '../request/request.ts';
import { type CapabilitiesContent, type ListedType, writeCapabilities } from './capabilities.ts';

const roads: ListedType = {
  prefix: 'topo',
  uri: 'http://topo?a&b',
  name: 'roads',
  title: 'Roads & <rails>',
  abstract: 'All of them',
  keywords: ['traffic'],
  crs: 'EPSG:2056',
  otherCrs: ['EPSG:4326'],
  bounds: { minX: 5.9, minY: 45.8, maxX: 10.5, maxY: 47.8 },
  isWritable: true,
};

const empty = '';

const content: CapabilitiesContent = {
  address: 'https://maps.example/geoserver/wfs?a=b&c=d',
  service: {
    title: 'Features',
    abstract: 'Ours',
    keywords: ['WFS'],
    fees: 'NONE',
    accessConstraints: 'NONE',
    onlineResource: empty,
  },
  contact: {
    organization: 'Survey',
    person: empty,
    position: empty,
    phone: '1',
    facsimile: empty,
    email: 'a@b.example',
    deliveryPoint: empty,
    city: 'Bern',
    administrativeArea: empty,
    postalCode: empty,
    country: empty,
    addressType: '',
    onlineResource: '',
  },
  updateSequence: 7,
  operations: listOperations('2.0.0'),
  types: [roads],
  outputFormats: ['application/gml+xml; version=3.2', 'csv'],
  lockFormats: ['application/gml+xml; version=3.2', 'GML2'],
  schemaFormats: ['application/gml+xml; version=3.2'],
  countDefault: 1_000,
  sections: undefined,
};

const limits = { maxDepth: 20, maxNodes: 10_000 };

describe.each(wfsVersions)('capabilities of WFS %s', (version) => {
  const text = [...writeCapabilities(version, { ...content, operations: listOperations(version) })].join('');

  it('are well-formed and contain the types', () => {
    const capabilities = readWfsCapabilities(readXml(text, limits));

    expect(capabilities).toEqual({
      version,
      types: [
        {
          name: 'topo:roads',
          namespace: 'http://topo?a&b',
          system: {
            '1.0.0': 'EPSG:2056',
            '1.1.0': 'urn:x-ogc:def:crs:EPSG:2056',
            '2.0.0': 'urn:ogc:def:crs:EPSG::2056',
          }[version],
          latLonBounds: roads.bounds,
        },
      ],
    });
  });

  it('contain the service address for every operation', () => {
    expect(text.split('https://maps.example/geoserver/wfs?a=b&amp;c=d').length - 1).toBeGreaterThanOrEqual(
      2 * listOperations(version).filter((name) => name !== 'CreateStoredQuery').length,
    );
    for (const operation of listOperations(version)) expect(text).toContain(operation);
  });

  it('are written in pieces for any number of types', () => {
    const many = Array.from({ length: 1_000 }, (_, n) => ({ ...roads, name: `roads${n}` }));

    const pieces = [...writeCapabilities(version, { ...content, types: many })];

    expect(pieces.length).toBeGreaterThan(10);
    expect(pieces.join('').split('<FeatureType ').length - 1).toBe(1_000);
  });
});

it.each(['1.0.0', '1.1.0'] as const)('WFS %s offers queries only for a read-only type', (version) => {
  const types = [roads, { ...roads, name: 'rails', isWritable: false }];

  const text = [...writeCapabilities(version, { ...content, operations: listOperations(version), types })].join('');

  const operations = text.split('<FeatureType ').map((part) => /<Operations>.*<\/Operations>/.exec(part)?.[0]);
  const query = version === '1.0.0' ? '<Query/>' : '<Operation>Query</Operation>';
  expect(operations[0]).toContain('Insert');
  expect(operations.slice(1)).toEqual([undefined, `<Operations>${query}</Operations>`]);
});

describe('capabilities of WFS 2.0.0', () => {
  it('describe a read-only type in its extended description', () => {
    const types = [roads, { ...roads, name: 'rails', isWritable: false }];

    const text = [...writeCapabilities('2.0.0', { ...content, types })].join('');

    expect(text.split('<FeatureType ').map((part) => /<Value>(.*)<\/Value><\/ValueList>/.exec(part)?.[1])).toEqual([
      undefined,
      undefined,
      'Query',
    ]);
  });

  it('declare the default count and paging', () => {
    const text = [...writeCapabilities('2.0.0', content)].join('');

    expect(text).toContain('name="CountDefault"><ows:NoValues/><ows:DefaultValue>1000<');
    expect(text).toContain('name="ImplementsResultPaging"><ows:NoValues/><ows:DefaultValue>TRUE<');
    expect(text).toContain('name="ImplementsTransactionalWFS"><ows:NoValues/><ows:DefaultValue>TRUE<');
  });

  it('can be requested by section', () => {
    const text = [...writeCapabilities('2.0.0', { ...content, sections: ['featuretypelist'] })].join('');

    expect(text).toContain('topo:roads');
    expect(text).not.toContain('ServiceIdentification');
    expect(text).not.toContain('Filter_Capabilities');
  });
});
