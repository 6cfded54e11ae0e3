/** Reads capabilities as GeoServer and Graticule write them, and compares them. */
import { describe, expect, it } from 'vitest';
import { readXmlDocument } from '../http/read-xml-document.ts';
import { compareService } from './compare-service.ts';
import { normalizeCrs } from './normalize-crs.ts';
import type { PublishedLayer, ServiceCapabilities } from './published-layer.ts';
import { readWcs } from './read-wcs.ts';
import { readWfs } from './read-wfs.ts';
import { readWms } from './read-wms.ts';
import { readWmts } from './read-wmts.ts';

const parse = (text: string) => readXmlDocument(Buffer.from(text));

const layer: PublishedLayer = {
  title: 'Roads',
  styles: ['line'],
  crs: new Set(['EPSG:4326', 'EPSG:3857']),
  box: { west: 1, south: 2, east: 3, north: 4 },
  formats: new Set(['image/png']),
};

const serviceWith = (layers: Readonly<Record<string, PublishedLayer>>, formats: readonly string[] = []) =>
  ({
    service: 'WMS',
    formats: new Set(formats),
    crs: new Set(),
    layers: new Map(Object.entries(layers)),
  }) as ServiceCapabilities;

const compareLayers = (old: PublishedLayer, renewed: PublishedLayer) =>
  compareService(serviceWith({ roads: old }), serviceWith({ roads: renewed }), () => true)
    .layers.get('roads')
    ?.map(({ code, message }) => [code, message]);

describe('readers of capabilities', () => {
  it('a WMS layer inherits styles, reference systems and the box of the layers around it', () => {
    const { layers, formats } = readWms(
      parse(`<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms"><Capability>
        <Request><GetMap><Format>image/png; mode=8bit</Format></GetMap></Request>
        <Layer><Title>All</Title><CRS>EPSG:4326</CRS><CRS>CRS:84</CRS>
          <EX_GeographicBoundingBox><westBoundLongitude>-1</westBoundLongitude><eastBoundLongitude>3</eastBoundLongitude>
            <southBoundLatitude>0.5</southBoundLatitude><northBoundLatitude>4</northBoundLatitude></EX_GeographicBoundingBox>
          <Style><Name>outer</Name></Style>
          <Layer><Name>base</Name><Title>Base</Title>
            <Layer queryable="1"><Name>topp:roads</Name><Title> Roads </Title><CRS>EPSG:2056</CRS><Style><Name>line</Name></Style></Layer>
          </Layer>
        </Layer></Capability></WMS_Capabilities>`),
    );

    expect([...formats]).toEqual(['GetMap image/png; mode=8bit']);
    expect([...layers.keys()]).toEqual(['base', 'topp:roads']);
    expect(layers.get('topp:roads')).toEqual({
      title: 'Roads',
      styles: ['line', 'outer'],
      crs: new Set(['EPSG:4326', 'CRS:84', 'EPSG:2056']),
      box: { west: -1, south: 0.5, east: 3, north: 4 },
      formats: new Set(),
    });
  });

  it('a WFS feature type has a default reference system, others and formats', () => {
    const { layers, formats } = readWfs(
      parse(`<wfs:WFS_Capabilities xmlns:wfs="http://www.opengis.net/wfs/2.0" xmlns:ows="http://www.opengis.net/ows/1.1" version="2.0.0">
        <ows:OperationsMetadata>
          <ows:Operation name="DescribeFeatureType"><ows:Parameter name="outputFormat"><ows:AllowedValues><ows:Value>text/xml</ows:Value></ows:AllowedValues></ows:Parameter></ows:Operation>
          <ows:Operation name="GetFeature"><ows:Parameter name="outputFormat"><ows:AllowedValues><ows:Value>text/xml;subtype=gml/3.1.1</ows:Value><ows:Value>CSV</ows:Value></ows:AllowedValues></ows:Parameter></ows:Operation>
        </ows:OperationsMetadata>
        <FeatureTypeList xmlns="http://www.opengis.net/wfs/2.0"><FeatureType xmlns:topp="http://topp"><Name>topp:roads</Name><Title>Roads</Title>
          <DefaultCRS>urn:ogc:def:crs:EPSG::2056</DefaultCRS><OtherCRS>http://www.opengis.net/def/crs/EPSG/0/4326</OtherCRS>
          <ows:WGS84BoundingBox><ows:LowerCorner>5.9 45.8</ows:LowerCorner><ows:UpperCorner>10.5 47.8</ows:UpperCorner></ows:WGS84BoundingBox>
        </FeatureType></FeatureTypeList></wfs:WFS_Capabilities>`),
    );

    expect([...formats]).toEqual(['GetFeature text/xml; subtype=gml/3.1.1', 'GetFeature csv']);
    expect(layers.get('topp:roads')).toEqual({
      title: 'Roads',
      styles: [],
      crs: new Set(['EPSG:2056', 'EPSG:4326']),
      defaultCrs: 'EPSG:2056',
      box: { west: 5.9, south: 45.8, east: 10.5, north: 47.8 },
      formats: new Set(),
    });
  });

  it('a WCS coverage has the name of its layer, and the service its reference systems and formats', () => {
    const { layers, formats, crs } = readWcs(
      parse(`<wcs:Capabilities version="2.0.1" xmlns:wcs="http://www.opengis.net/wcs/2.0" xmlns:ows="http://www.opengis.net/ows/2.0" xmlns:c="http://www.opengis.net/wcs/crs/1.0">
        <wcs:ServiceMetadata><wcs:formatSupported>image/tiff</wcs:formatSupported>
          <wcs:Extension><c:crsSupported>http://www.opengis.net/def/crs/EPSG/0/4326</c:crsSupported></wcs:Extension></wcs:ServiceMetadata>
        <wcs:Contents><wcs:CoverageSummary><ows:Title>Relief</ows:Title><wcs:CoverageId>nurc__relief__10</wcs:CoverageId>
          <ows:WGS84BoundingBox><ows:LowerCorner>1 2</ows:LowerCorner><ows:UpperCorner>3 4</ows:UpperCorner></ows:WGS84BoundingBox></wcs:CoverageSummary></wcs:Contents></wcs:Capabilities>`),
    );

    expect([[...formats], [...crs]]).toEqual([['GetCoverage image/tiff'], ['EPSG:4326']]);
    expect(layers.get('nurc:relief__10')).toMatchObject({
      title: 'Relief',
      box: { west: 1, south: 2, east: 3, north: 4 },
    });
  });

  it('a WMTS layer has grids, formats and the default style first', () => {
    const { layers } = readWmts(
      parse(`<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1" version="1.0.0"><Contents>
        <Layer><ows:Title>Roads</ows:Title><ows:Identifier>topp:roads</ows:Identifier>
          <Style><ows:Identifier>thin</ows:Identifier></Style><Style isDefault="true"><ows:Identifier/></Style>
          <Format>image/png</Format><TileMatrixSetLink><TileMatrixSet>EPSG:900913</TileMatrixSet></TileMatrixSetLink></Layer>
        <TileMatrixSet><ows:Identifier>EPSG:900913</ows:Identifier></TileMatrixSet></Contents></Capabilities>`),
    );

    expect([...layers]).toEqual([
      [
        'topp:roads',
        {
          title: 'Roads',
          styles: ['', 'thin'],
          crs: new Set(['EPSG:900913']),
          box: undefined,
          formats: new Set(['image/png']),
        },
      ],
    ]);
  });

  it('a document of another kind is rejected', () => {
    expect(() => readWms(parse('<WMT_MS_Capabilities version="1.1.1"/>'))).toThrow(
      "The response is a document 'WMT_MS_Capabilities' instead of capabilities.",
    );
  });
});

describe('normalizeCrs', () => {
  it.each([
    ['EPSG:4326', 'EPSG:4326'],
    ['epsg:4326', 'EPSG:4326'],
    ['urn:ogc:def:crs:EPSG::4326', 'EPSG:4326'],
    ['urn:x-ogc:def:crs:EPSG:6.9:4326', 'EPSG:4326'],
    ['http://www.opengis.net/def/crs/EPSG/0/4326', 'EPSG:4326'],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', 'EPSG:4326'],
    ['CRS:84', 'CRS:84'],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', 'CRS:84'],
    ['http://www.opengis.net/def/crs/OGC/1.3/CRS84', 'CRS:84'],
  ])('writes %s as %s', (name, expected) => {
    expect(normalizeCrs(name)).toBe(expected);
  });
});

describe('compareService', () => {
  it('equal layers have no differences, also if boxes differ by less than 1e-6 degrees', () => {
    expect(compareLayers(layer, { ...layer, box: { west: 1.000_000_9, south: 2, east: 3, north: 4 } })).toEqual([]);
  });

  it('each difference of a layer has its code', () => {
    const renewed: PublishedLayer = {
      title: 'Streets',
      styles: ['thick'],
      crs: new Set(['EPSG:4326', 'EPSG:2056']),
      box: { west: 1.000_002, south: 2, east: 3, north: 4 },
      formats: new Set(),
    };

    expect(compareLayers(layer, renewed)).toEqual([
      ['title-differs', "Title: old 'Roads', new 'Streets'."],
      ['style-differs', 'Styles: missing line; additional thick.'],
      ['crs-differs', 'Reference systems or grids: missing EPSG:3857; additional EPSG:2056.'],
      ['box-differs', 'Box in degrees: old 1 2 3 4, new 1.000002 2 3 4.'],
      ['format-missing', 'Missing formats: image/png.'],
    ]);
  });

  it('another default style, default reference system or a missing box is a difference', () => {
    const old = { ...layer, styles: ['a', 'b'], defaultCrs: 'EPSG:4326' };

    expect(compareLayers(old, { ...layer, styles: ['b', 'a'], defaultCrs: 'EPSG:3857', box: undefined })).toEqual([
      ['style-differs', "Default style: old 'a', new 'b'."],
      ['crs-differs', 'Default CRS: old EPSG:4326, new EPSG:3857.'],
      ['box-differs', 'Box in degrees: old 1 2 3 4, new none.'],
    ]);
  });

  it('a reference system that all layers lack is one difference of the service', () => {
    const without = { ...layer, crs: new Set(['EPSG:4326']) };
    const { details, layers } = compareService(
      serviceWith({ a: layer, b: layer }, ['GetMap image/png', 'GetMap image/bmp']),
      serviceWith({ a: without, b: { ...without, crs: new Set() } }, ['GetMap image/png']),
      () => true,
    );

    expect(details.map(({ code, message }) => [code, message])).toEqual([
      ['format-missing', 'Missing formats: GetMap image/bmp.'],
      ['crs-differs', 'All layers: Reference systems or grids: missing EPSG:3857.'],
    ]);
    expect([...layers].map(([name, found]) => [name, found.map(({ message }) => message)])).toEqual([
      ['a', []],
      ['b', ['Reference systems or grids: missing EPSG:4326.']],
    ]);
  });

  it('missing and additional layers are differences, if they are wanted', () => {
    const compare = (isWanted: (name: string) => boolean) => [
      ...compareService(serviceWith({ gone: layer }), serviceWith({ added: layer, other: layer }), isWanted).layers,
    ];

    expect(compare((name) => name !== 'other')).toEqual([
      ['gone', [expect.objectContaining({ code: 'layer-missing', service: 'WMS' })]],
      ['added', [expect.objectContaining({ code: 'layer-extra', service: 'WMS' })]],
    ]);
  });
});
