import { describe, expect, test } from 'vitest';
import type { CascadedService } from './capabilities.ts';
import { readCapabilities, readPackedCapabilities, unpackCapabilities } from './read-capabilities.ts';
import { selectTileInfo } from './select-tile-info.ts';

const read = (service: CascadedService, text: string, layer: string | null = null) =>
  readCapabilities({ service, bytes: Buffer.from(text), charset: undefined, layer });

const newer = `<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms">
  <Service><Name>WMS</Name><Title>Maps</Title></Service>
  <Capability>
    <Request><GetMap><Format>image/png</Format><Format>image/jpeg</Format></GetMap></Request>
    <Layer>
      <Title>All</Title><CRS>EPSG:4326</CRS><CRS>EPSG:3857</CRS>
      <EX_GeographicBoundingBox><westBoundLongitude>5</westBoundLongitude><eastBoundLongitude>15</eastBoundLongitude><southBoundLatitude>47</southBoundLatitude><northBoundLatitude>55</northBoundLatitude></EX_GeographicBoundingBox>
      <Layer>
        <Name>roads</Name><Title>Roads</Title><Abstract>Where one drives</Abstract>
        <KeywordList><Keyword>traffic</Keyword></KeywordList>
        <CRS>EPSG:25832</CRS>
        <BoundingBox CRS="EPSG:4326" minx="48" miny="6" maxx="54" maxy="14"/>
        <BoundingBox CRS="CRS:84" minx="6" miny="48" maxx="14" maxy="54"/>
        <Style><Name>thick</Name></Style>
      </Layer>
      <Layer><Name>rivers</Name></Layer>
    </Layer>
  </Capability>
</WMS_Capabilities>`;

const older = `<?xml version="1.0"?>
<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://maps.example/capabilities.dtd" [ <!ELEMENT VendorSpecificCapabilities EMPTY> ]>
<WMT_MS_Capabilities version="1.1.1">
  <Service><Name>OGC:WMS</Name></Service>
  <Capability><Layer><Name>roads</Name><SRS>EPSG:4326 EPSG:3857</SRS>
    <LatLonBoundingBox minx="5" miny="47" maxx="15" maxy="55"/>
    <BoundingBox SRS="EPSG:4326" minx="5" miny="47" maxx="15" maxy="55"/>
  </Layer></Capability>
</WMT_MS_Capabilities>`;

const tiles = `<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1">
  <ows:ServiceIdentification><ows:Title>Tiles</ows:Title></ows:ServiceIdentification>
  <Contents>
    <Layer>
      <ows:Title>Ground</ows:Title><ows:Identifier>ground</ows:Identifier>
      <ows:Keywords><ows:Keyword>base</ows:Keyword></ows:Keywords>
      <ows:WGS84BoundingBox><ows:LowerCorner>5 47</ows:LowerCorner><ows:UpperCorner>15 55</ows:UpperCorner></ows:WGS84BoundingBox>
      <Style isDefault="true"><ows:Identifier>plain</ows:Identifier></Style>
      <Format>image/png</Format>
      <TileMatrixSetLink><TileMatrixSet>web</TileMatrixSet></TileMatrixSetLink>
    </Layer>
    <TileMatrixSet><ows:Identifier>web</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS></TileMatrixSet>
  </Contents>
</Capabilities>`;

const germany = { minX: 5, minY: 47, maxX: 15, maxY: 55 };

describe('WMS capabilities', () => {
  test('contain the names of all named layers, and the requested layer with inherited properties', async () => {
    expect(await read('WMS', newer, 'roads')).toEqual({
      capabilities: {
        names: ['roads', 'rivers'],
        layer: {
          name: 'roads',
          title: 'Roads',
          abstract: 'Where one drives',
          keywords: ['traffic'],
          systems: ['EPSG:25832', 'EPSG:4326', 'EPSG:3857'],
          latLonBounds: germany,
          // Latitude came first in one CRS, longitude in the other.
          bounds: {
            'EPSG:4326': { minX: 6, minY: 48, maxX: 14, maxY: 54 },
            'CRS:84': { minX: 6, minY: 48, maxX: 14, maxY: 54 },
          },
          styles: ['thick'],
          formats: ['image/png', 'image/jpeg'],
        },
      },
    });
    expect(await read('WMS', newer, 'rivers')).toMatchObject({
      capabilities: { layer: { name: 'rivers', title: null, systems: ['EPSG:4326', 'EPSG:3857'], styles: [] } },
    });
  });

  test('are read in older versions, without reading the document type', async () => {
    expect(await read('WMS', older, 'roads')).toEqual({
      capabilities: {
        names: ['roads'],
        layer: expect.objectContaining({
          systems: ['EPSG:4326', 'EPSG:3857'],
          latLonBounds: germany,
          bounds: { 'EPSG:4326': germany },
        }),
      },
    });
  });

  test('return null for a missing layer', async () => {
    expect(await read('WMS', newer, 'lakes')).toEqual({ capabilities: { names: ['roads', 'rivers'], layer: null } });
  });

  test('may contain very many sibling layers', async () => {
    const layers = Array.from({ length: 200_000 }, (_, index) => `<Layer><Name>l${index}</Name></Layer>`);
    const text = `<WMS_Capabilities><Capability><Layer>${layers.join('')}</Layer></Capability></WMS_Capabilities>`;

    const outcome = await read('WMS', text, 'l199999');

    expect(outcome).toMatchObject({ capabilities: { layer: { name: 'l199999' } } });
    expect('capabilities' in outcome ? outcome.capabilities.names.slice(0, 2) : []).toEqual(['l0', 'l1']);
  });
});

test('WMTS capabilities contain the layers and their CRSs', async () => {
  expect(await read('WMTS', tiles, 'ground')).toEqual({
    capabilities: {
      names: ['ground'],
      layer: {
        name: 'ground',
        title: 'Ground',
        abstract: null,
        keywords: ['base'],
        systems: ['urn:ogc:def:crs:EPSG::3857'],
        latLonBounds: germany,
        bounds: {},
        styles: ['plain'],
        formats: ['image/png'],
      },
    },
  });
});

describe('GetFeatureInfo of WMTS capabilities', () => {
  const matrix =
    '<TileMatrix><ows:Identifier>0</ows:Identifier><ScaleDenominator>1</ScaleDenominator><TopLeftCorner>0 0</TopLeftCorner><TileWidth>256</TileWidth><TileHeight>256</TileHeight><MatrixWidth>1</MatrixWidth><MatrixHeight>1</MatrixHeight></TileMatrix>';
  const tileSet = tiles.replace('</TileMatrixSet>\n  </Contents>', `${matrix}</TileMatrixSet></Contents>`);
  const offer = (operation: string, layer: string) =>
    tileSet
      .replace('<Contents>', `<ows:OperationsMetadata>${operation}</ows:OperationsMetadata><Contents>`)
      .replace('<TileMatrixSetLink>', `${layer}<TileMatrixSetLink>`);
  const operation = (get: string) =>
    `<ows:Operation name="GetFeatureInfo"><ows:DCP><ows:HTTP>${get}</ows:HTTP></ows:DCP></ows:Operation>`;
  const get = (encoding: string) =>
    `<ows:Get xlink:href="http://a.example/${encoding}?" xmlns:xlink="http://www.w3.org/1999/xlink"><ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>${encoding}</ows:Value></ows:AllowedValues></ows:Constraint></ows:Get>`;
  const pairs = operation(`${get('RESTful')}${get('KVP')}`);
  const writeFormats = (...formats: readonly string[]) =>
    formats.map((each) => `<InfoFormat>${each}</InfoFormat>`).join('');
  const template = (format: string) =>
    `<ResourceURL resourceType="FeatureInfo" format="${format}" template="${format}"/>`;
  const select = async (text: string) => {
    const outcome = await read('WMTS', text, 'ground');
    const info = 'capabilities' in outcome ? outcome.capabilities.layer?.tiles?.info : undefined;
    expect(info).toBeDefined();
    return info && { address: info.address, ...selectTileInfo(info) };
  };
  const address = 'http://a.example/KVP?';

  test.each([
    [
      'JSON before text',
      pairs,
      writeFormats('text/html', 'text/plain', 'application/geo+json; subtype=x'),
      {
        address,
        format: 'application/geo+json; subtype=x',
      },
    ],
    [
      'text if nothing else is readable',
      pairs,
      writeFormats('text/html', 'text/xml', 'Text/Plain'),
      {
        address,
        format: 'Text/Plain',
      },
    ],
    [
      'a template before key-value pairs',
      pairs,
      writeFormats('application/json') + template('application/json'),
      {
        address,
        format: 'application/json',
        template: 'application/json',
      },
    ],
    [
      'pairs before a template of a worse format',
      pairs,
      writeFormats('application/json') + template('text/plain'),
      {
        address,
        format: 'application/json',
      },
    ],
    [
      'an address without encodings',
      operation('<ows:Get/>'),
      writeFormats('text/plain'),
      {
        address: null,
        format: 'text/plain',
      },
    ],
    ['no pairs without the operation', '', writeFormats('application/json'), { address: null }],
    ['no pairs without an address for them', operation(get('RESTful')), writeFormats('text/plain'), { address: null }],
    ['no pairs without formats', pairs, '', { address }],
    ['no pages and XML', pairs, writeFormats('text/html', 'application/vnd.ogc.gml'), { address }],
  ])('selects %s', async (_, operations, layer, expected) => {
    expect(await select(offer(operations, layer))).toEqual(expected);
  });
});

test.each([
  ['layers', newer],
  ['no layers', '<WMS_Capabilities version="1.3.0"/>'],
  ['invalid content', '<html/>'],
])('capabilities with %s are passed unchanged between threads', async (_, text) => {
  // Responses are in memory that threads share.
  const bytes = new Uint8Array(new SharedArrayBuffer(text.length));
  bytes.set(Buffer.from(text));
  const sent = { service: 'WMS', bytes, charset: undefined, layer: 'roads' } as const;

  expect(unpackCapabilities(await readPackedCapabilities(sent))).toEqual(await read('WMS', text, 'roads'));
});

describe('invalid capabilities', () => {
  test.each([
    ['a page', '<html><body/></html>', "the response is a 'html' document; expected the capabilities of a WMS"],
    ['tiles', tiles, "the response is a 'Capabilities' document; expected the capabilities of a WMS"],
    [
      'an error',
      '<ServiceExceptionReport><ServiceException>No such map</ServiceException></ServiceExceptionReport>',
      'the server returned an error: No such map',
    ],
  ])('are rejected for %s', async (_, text, objection) => {
    expect(await read('WMS', text)).toEqual({ objection });
  });

  test.each([
    ['other text', 'roads: all'],
    ['an entity of a document type', '<!DOCTYPE a [<!ENTITY b "c">]><WMS_Capabilities>&b;</WMS_Capabilities>'],
    ['a document type that does not end', '<!DOCTYPE WMS_Capabilities [ <!ELEMENT'],
  ])('are rejected as unreadable for %s', async (_, text) => {
    expect(await read('WMS', text)).toEqual({ objection: expect.stringMatching(/^the response is invalid: /) });
  });

  test.each([
    ['without a capability', '<WMS_Capabilities version="1.3.0"/>'],
    [
      'with invalid boxes',
      newer.replace('minx="48"', 'minx="east"').replaceAll('<westBoundLongitude>5', '<westBoundLongitude>99'),
    ],
  ])('are still read %s', async (_, text) => {
    expect(await read('WMS', text)).toEqual({ capabilities: expect.anything() });
  });
});
