/** All services with key-value pairs and their operations, for documentation and OpenAPI. */
import { classificationOperations } from './classification/parameters.ts';
import { boxOperations, tmsTileOperation, zoomOperation } from './gwc/parameters.ts';
import { formatParameters } from './ogc-api/common/parameters.ts';
import { optionParameters } from './ogc-api/common/requested-options.ts';
import { itemsParameters } from './ogc-api/features/collections/items-parameters.ts';
import { mapParameters } from './ogc-api/maps/map-parameters.ts';
import type { NamedOperations } from './ows/merge-parameters.ts';
import type { ServiceOperation } from './ows/service-parameters.ts';
import { wcsOperations } from './wcs/parameters.ts';
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
  { name: 'WCS', path: '/wcs', operations: Object.values(wcsOperations) },
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

/** The operations at the shared address, which the `service` parameter selects. */
export const owsOperations: NamedOperations = Object.fromEntries(
  Object.entries({ WMS: wmsOperations, WFS: wfsOperations, WCS: wcsOperations }).flatMap(([service, operations]) =>
    Object.entries<ServiceOperation>(operations).map(([name, operation]) => [`${service} ${name}`, operation]),
  ),
);
