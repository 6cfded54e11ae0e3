/** Problems with WMS requests. */
import { excerpt } from '../../../text/excerpt.ts';
import { defineProblemKind } from '../kind.ts';

export const wmsProblems = {
  'map-service-disabled': defineProblemKind(
    404,
    'The map services are disabled in the settings of the server or of the workspace.',
    () => 'Map services are disabled.',
  ),
  'wms-layer-unknown': defineProblemKind(
    400,
    'No layer or layer group has that name, or the user has no access to it.',
    (d: { name: string }) => `Unknown layer '${excerpt(d.name)}'.`,
  ),
  'wms-layer-not-queryable': defineProblemKind(
    400,
    'The layer does not support feature queries.',
    (d: { name: string }) => `The layer '${excerpt(d.name)}' is not queryable.`,
  ),
  'wms-layer-not-drawable': defineProblemKind(
    400,
    'The data of the layer cannot be drawn on a map.',
    (d: { name: string; reason: string }) => `The layer '${excerpt(d.name)}' cannot be drawn: ${d.reason}.`,
  ),
  'remote-map-failed': defineProblemKind(
    502,
    'The remote map server of a cascaded layer did not return a usable response.',
    (d: { layer: string; reason: string }) =>
      `The remote server of the layer '${excerpt(d.layer)}' did not return a usable response: ${d.reason}.`,
  ),
  'wms-style-unknown': defineProblemKind(
    400,
    'Neither the layer, nor its workspace, nor the server has a style of that name.',
    (d: { style: string; layer: string }) => `Unknown style '${excerpt(d.style)}' for the layer '${excerpt(d.layer)}'.`,
  ),
  'wms-layout-unknown': defineProblemKind(
    400,
    'No layout of that name exists.',
    (d: { layout: string; layouts: readonly string[] }) =>
      `Unknown layout '${excerpt(d.layout)}'. ${
        d.layouts.length === 0
          ? 'No layout exists. Administrators upload layouts to /rest/resource/layouts.'
          : `Available layouts: ${d.layouts.join(', ')}.`
      }`,
  ),
  'wms-format-unknown': defineProblemKind(
    400,
    'The operation does not support the format.',
    (d: { format: string; formats: readonly string[] }) =>
      `Unsupported format '${excerpt(d.format)}'. Supported formats: ${d.formats.join(', ')}.`,
  ),
  'wms-crs-unknown': defineProblemKind(
    400,
    'The coordinate reference system is unknown, or not supported for maps.',
    (d: { crs: string }) =>
      `Unsupported coordinate reference system '${excerpt(d.crs)}'. Expected a code such as EPSG:4326.`,
  ),
  'wms-box-invalid': defineProblemKind(
    400,
    'The bounding box of a map is malformed, empty or reversed.',
    (d: { box: string; expected: string }) => `Invalid bounding box '${excerpt(d.box)}': ${d.expected}.`,
  ),
  'wms-map-too-large': defineProblemKind(
    400,
    'The map exceeds the pixel limit.',
    (d: { width: number; height: number; maxPixels: number }) =>
      `A map of ${d.width} by ${d.height} pixels exceeds the limit of ${d.maxPixels} pixels.`,
  ),
  'wms-animation-too-large': defineProblemKind(
    400,
    'The animation exceeds the limits of frames or pixels.',
    (d: { frames: number; width: number; height: number; maxFrames: number; maxPixels: number }) =>
      `An animation of ${d.frames} frames of ${d.width} by ${d.height} pixels exceeds the limits of ${d.maxFrames} frames and ${d.maxPixels} pixels of all frames. Request fewer frames or a smaller map.`,
  ),
  'wms-point-invalid': defineProblemKind(
    400,
    'The queried pixel is outside of the map.',
    (d: { x: string; y: string; width: number; height: number }) =>
      `The pixel ${excerpt(d.x)}, ${excerpt(d.y)} is outside of the map of ${d.width} by ${d.height} pixels.`,
  ),
  'wms-dimension-invalid': defineProblemKind(
    400,
    'The value of a dimension is malformed, or no data is near enough to it.',
    (d: { dimension: string; value: string; expected: string }) =>
      `Invalid value '${excerpt(d.value)}' for the dimension '${d.dimension}': ${d.expected}.`,
  ),
  'wms-styling-disabled': defineProblemKind(
    400,
    'The settings allow the styles of the server only.',
    () => 'Styles sent by clients are disabled. Request layers and styles by their names.',
  ),
  'wms-sld-unusable': defineProblemKind(
    400,
    'The style that the client sent for a map is invalid or not supported.',
    (d: { reason: string }) => `The style in the request is invalid: ${d.reason}.`,
  ),
} as const;
