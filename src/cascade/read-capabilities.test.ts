import { describe, expect, test } from 'vitest';
import type { CascadedService } from './capabilities.ts';
import { readCapabilities, readPackedCapabilities, unpackCapabilities } from './read-capabilities.ts';

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
