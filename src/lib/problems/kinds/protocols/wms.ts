/** What can be wrong with a request for a map. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

export const wmsProblems = {
  'map-service-disabled': defineProblemKind(
    404,
    'The service of maps is switched off in its settings, for the server or for the workspace.',
    () => 'Maps are not served here: the service is switched off.',
  ),
  'wms-layer-unknown': defineProblemKind(
    400,
    'There is no layer or layer group of that name, or none that this user may see.',
    (d: { name: string }) => `There is no layer '${excerpt(d.name)}'.`,
  ),
  'wms-layer-not-queryable': defineProblemKind(
    400,
    'The features of the layer cannot be asked for on a map.',
    (d: { name: string }) => `The layer '${excerpt(d.name)}' cannot be asked for its features.`,
  ),
  'wms-layer-not-drawable': defineProblemKind(
    400,
    'The layer shows data that maps are not drawn from.',
    (d: { name: string; reason: string }) => `The layer '${excerpt(d.name)}' cannot be drawn: ${d.reason}.`,
  ),
  'remote-map-failed': defineProblemKind(
    502,
    'Another map server, whose layers are published here, does not give what it was asked for.',
    (d: { layer: string; reason: string }) =>
      `The server that '${excerpt(d.layer)}' comes from gave no answer that can be used: ${d.reason}.`,
  ),
  'wms-style-unknown': defineProblemKind(
    400,
    'The layer has no style of that name, and neither has its workspace or the server.',
    (d: { style: string; layer: string }) => `There is no style '${excerpt(d.style)}' for '${excerpt(d.layer)}'.`,
  ),
  'wms-format-unknown': defineProblemKind(
    400,
    'Maps, legends or features of maps are not given in that format.',
    (d: { format: string; formats: readonly string[] }) =>
      `There is no format '${excerpt(d.format)}'; there are ${d.formats.join(', ')}.`,
  ),
  'wms-crs-unknown': defineProblemKind(
    400,
    'No such coordinate reference system is known, or maps are not drawn in it.',
    (d: { crs: string }) => `Maps are not drawn in '${excerpt(d.crs)}'; a system such as EPSG:4326 was expected.`,
  ),
  'wms-box-invalid': defineProblemKind(
    400,
    'The box of a map is empty or upside down.',
    (d: { box: string; expected: string }) => `The box '${excerpt(d.box)}' cannot be drawn; ${d.expected}.`,
  ),
  'wms-map-too-large': defineProblemKind(
    400,
    'The map would take more memory than a map may.',
    (d: { width: number; height: number; maxPixels: number }) =>
      `A map of ${d.width} by ${d.height} pixels is too large; ${d.maxPixels} pixels were expected at most.`,
  ),
  'wms-point-invalid': defineProblemKind(
    400,
    'The pixel whose features are asked for is not on the map.',
    (d: { x: string; y: string; width: number; height: number }) =>
      `There is no pixel ${excerpt(d.x)}, ${excerpt(d.y)} on a map of ${d.width} by ${d.height}.`,
  ),
  'wms-dimension-invalid': defineProblemKind(
    400,
    'A value of a dimension cannot be read, or nothing is near enough to it.',
    (d: { dimension: string; value: string; expected: string }) =>
      `The dimension '${d.dimension}' cannot be '${excerpt(d.value)}'; ${d.expected}.`,
  ),
  'wms-styling-disabled': defineProblemKind(
    400,
    'Maps are drawn with the styles of the server only, by its settings.',
    () => 'Styles of clients are switched off here; ask for layers and styles by their names.',
  ),
  'wms-sld-unusable': defineProblemKind(
    400,
    'The style that a client sends for a map says something that cannot be used here.',
    (d: { reason: string }) => `The style that was sent cannot be used: ${d.reason}.`,
  ),
} as const;
