/** Requests the capabilities of a service. */
import type { XmlElement } from '../../../lib/xml/element.ts';
import { type ComparedServer, MAX_CAPABILITIES_BYTES } from '../http/compared-server.ts';
import { readXmlDocument } from '../http/read-xml-document.ts';
import { mapReading, type Reading } from '../model/reading.ts';
import type { ServiceName } from '../model/report.ts';
import type { ServiceCapabilities } from './published-layer.ts';
import { readWcs } from './read-wcs.ts';
import { readWfs } from './read-wfs.ts';
import { readWms } from './read-wms.ts';
import { readWmts } from './read-wmts.ts';

interface Service {
  readonly path: string;
  readonly version: string;
  readonly read: (root: XmlElement) => ServiceCapabilities;
}

const services: Readonly<Record<ServiceName, Service>> = {
  WMS: { path: '/wms', version: '1.3.0', read: readWms },
  WFS: { path: '/wfs', version: '2.0.0', read: readWfs },
  WCS: { path: '/wcs', version: '2.0.1', read: readWcs },
  WMTS: { path: '/gwc/service/wmts', version: '1.0.0', read: readWmts },
};

export async function readCapabilities(
  server: ComparedServer,
  service: ServiceName,
): Promise<Reading<ServiceCapabilities>> {
  const { path, version, read } = services[service];
  const query = { service, version, request: 'GetCapabilities' };
  const reading = await server.get(path, query, MAX_CAPABILITIES_BYTES);
  return mapReading(reading, ({ bytes }) => read(readXmlDocument(bytes)));
}
