/** All services with key-value pairs and their operations, for documentation and OpenAPI. */
import { classificationOperations } from './classification/parameters.ts';
import { boxOperations, tmsTileOperation, zoomOperation } from './gwc/parameters.ts';
import { formatParameters } from './ogc-api/common/parameters.ts';
import { optionParameters } from './ogc-api/common/requested-options.ts';
import { itemsParameters } from './ogc-api/features/collections/items-parameters.ts';
import { mapParameters } from './ogc-api/maps/map-parameters.ts';
import type { NamedOperations } from './ows/merge-parameters.ts';
import type { ServiceOperation } from './ows/service-parameters.ts';
import { operations as wcs10Operations } from './wcs/v1-0/parameters.ts';
import { operations as wcs11Operations } from './wcs/v1-1/parameters.ts';
import { wcsOperations } from './wcs/v2-0/parameters.ts';
import { featureFormatOptions, wfsOperations } from './wfs/request/parameters.ts';
import { animationOperation, kmlOperation, mapFormatOptions, wmsOperations } from './wms/request/parameters.ts';
import { wmtsOperations, wmtsPathOperation } from './wmts/parameters.ts';

export interface DescribedService {
  readonly name: string;
  /** Below the context path, a workspace or a layer. */
  readonly path: string;
  readonly operations: readonly ServiceOperation[];
  /** The options in `format_options`. */
  readonly formatOptions?: ServiceOperation;
  /** Whether its tiles have the options that all tile services share. */
  readonly hasTileOptions?: true;
}

export const describedServices: readonly DescribedService[] = [
  {
    name: 'WMS',
    path: '/wms',
    operations: [...Object.values(wmsOperations), animationOperation, kmlOperation],
    formatOptions: mapFormatOptions,
  },
  { name: 'WFS', path: '/wfs', operations: Object.values(wfsOperations), formatOptions: featureFormatOptions },
  { name: 'WCS 2.0.1', path: '/wcs', operations: Object.values(wcsOperations) },
  { name: 'WCS 1.1.1', path: '/wcs', operations: Object.values(wcs11Operations) },
  { name: 'WCS 1.0.0', path: '/wcs', operations: Object.values(wcs10Operations) },
  {
    name: 'WMTS',
    path: '/gwc/service/wmts',
    operations: [...Object.values(wmtsOperations), wmtsPathOperation],
    hasTileOptions: true,
  },
  { name: 'TMS and XYZ', path: '/gwc/service/tms/1.0.0', operations: [tmsTileOperation], hasTileOptions: true },
  { name: 'WMS-C', path: '/gwc/service/wms', operations: Object.values(boxOperations), hasTileOptions: true },
  { name: 'Tiles by zoom', path: '/gwc/service/gmaps', operations: [zoomOperation], hasTileOptions: true },
  { name: 'Classification', path: '/rest/sldservice/{layer}', operations: Object.values(classificationOperations) },
];

/** Services without key-value pairs, whose names are case-sensitive and whose unknown parameters are rejected. */
export const describedApis = [
  { name: 'OGC API Features', path: '/ogc/features/v1/collections/{collection}/items', parameters: itemsParameters },
  {
    name: 'OGC API Tiles',
    path: '/ogc/tiles/v1/collections/{collection}/tiles/{set}/{level}/{row}/{column}',
    parameters: { ...formatParameters, ...optionParameters },
  },
  { name: 'OGC API Maps', path: '/ogc/maps/v1/collections/{collection}/map', parameters: mapParameters },
  { name: 'OGC API Styles', path: '/ogc/styles/v1/styles/{collection}', parameters: formatParameters },
] as const;

/** The operations of all versions of WCS. */
export const allWcsOperations: NamedOperations = nameOperations({
  '2.0.1': wcsOperations,
  '1.1.1': wcs11Operations,
  '1.0.0': wcs10Operations,
});

/** The operations at the shared address, which the `service` parameter selects. */
export const owsOperations: NamedOperations = nameOperations({
  WMS: wmsOperations,
  WFS: wfsOperations,
  'WCS 2.0.1': wcsOperations,
  'WCS 1.1.1': wcs11Operations,
  'WCS 1.0.0': wcs10Operations,
});

function nameOperations(services: Readonly<Record<string, NamedOperations>>): NamedOperations {
  return Object.fromEntries(
    Object.entries(services).flatMap(([service, operations]) =>
      Object.entries(operations).map(([name, operation]) => [`${service} ${name}`, operation]),
    ),
  );
}
