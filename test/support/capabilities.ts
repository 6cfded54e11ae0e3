/** Capabilities of remote map servers for tests. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export const wmsCapabilities = `<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms">
  <Service><Name>WMS</Name><Title>Maps</Title></Service>
  <Capability>
    <Request><GetMap><Format>image/png</Format></GetMap></Request>
    <Layer>
      <Title>All</Title><CRS>EPSG:4326</CRS><CRS>EPSG:3857</CRS>
      <EX_GeographicBoundingBox><westBoundLongitude>5</westBoundLongitude><eastBoundLongitude>15</eastBoundLongitude><southBoundLatitude>47</southBoundLatitude><northBoundLatitude>55</northBoundLatitude></EX_GeographicBoundingBox>
      <BoundingBox CRS="EPSG:4326" minx="47" miny="5" maxx="55" maxy="15"/>
      <Layer><Name>roads</Name><Title>Roads</Title><Abstract>Where one drives</Abstract><KeywordList><Keyword>traffic</Keyword></KeywordList></Layer>
      <Layer><Name>rivers</Name><Title>Rivers</Title></Layer>
    </Layer>
  </Capability>
</WMS_Capabilities>`;

export const wmtsCapabilities = `<Capabilities version="1.0.0" xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1">
  <Contents>
    <Layer>
      <ows:Title>Roads</ows:Title><ows:Abstract>Where one drives</ows:Abstract><ows:Identifier>roads</ows:Identifier>
      <ows:Keywords><ows:Keyword>traffic</ows:Keyword></ows:Keywords>
      <ows:WGS84BoundingBox><ows:LowerCorner>5 47</ows:LowerCorner><ows:UpperCorner>15 55</ows:UpperCorner></ows:WGS84BoundingBox>
      <TileMatrixSetLink><TileMatrixSet>g</TileMatrixSet></TileMatrixSetLink>
    </Layer>
    <Layer><ows:Identifier>rivers</ows:Identifier></Layer>
    <TileMatrixSet><ows:Identifier>g</ows:Identifier><ows:SupportedCRS>urn:ogc:def:crs:EPSG::4326</ows:SupportedCRS></TileMatrixSet>
  </Contents>
</Capabilities>`;

/** Runs work while a local map server answers; it serves both WMS and WMTS capabilities. */
export async function withMapServer<T>(work: (url: string) => Promise<T>): Promise<T> {
  const server = createServer((request, response) =>
    response.end(/wmts/i.test(request.url ?? '') ? wmtsCapabilities : wmsCapabilities),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** The path and document names of stores and layers for each type of map server. */
export const cascadedWords = [
  { stores: 'wmsstores', store: 'wmsStore', inStore: 'wmslayers', inWorkspace: 'wmslayers', layer: 'wmsLayer' },
  { stores: 'wmtsstores', store: 'wmtsStore', inStore: 'layers', inWorkspace: 'wmtslayers', layer: 'wmtsLayer' },
] as const;
