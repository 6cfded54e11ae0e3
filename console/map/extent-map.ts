/** A small picture of a box on the outlines of the continents, drawn without the map library. */
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { feature } from 'topojson-client';
import land from 'world-atlas/land-110m.json';

/** West, south, east and north in degrees. */
type Extent = readonly [number, number, number, number];

/** The box has this share of the picture at most, so that its surroundings can be recognized. */
const SHARE = 0.35;
/** A smaller part of the world has no outlines at this resolution. */
const MIN_DEGREES = 24;

export function drawExtent(canvas: HTMLCanvasElement, extent: Extent): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const scale = devicePixelRatio;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.scale(scale, scale);
  const style = getComputedStyle(canvas);
  const colors = {
    land: style.getPropertyValue('--extent-land'),
    line: style.getPropertyValue('--extent-line'),
    box: style.getPropertyValue('--accent'),
  };
  const toPixel = createProjection(extent, width, height);
  context.fillStyle = colors.land;
  context.strokeStyle = colors.line;
  context.beginPath();
  for (const ring of rings) {
    for (const [index, position] of ring.entries()) {
      const [x, y] = toPixel(position);
      if (index === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }
  context.fill('evenodd');
  context.stroke();
  drawBox(context, extent, toPixel, colors.box);
}

function drawBox(
  context: CanvasRenderingContext2D,
  [west, south, east, north]: Extent,
  toPixel: (position: Position) => readonly [number, number],
  color: string,
): void {
  const [left, top] = toPixel([west, north]);
  const [right, bottom] = toPixel([east, south]);
  // A point is visible too.
  const [boxWidth, boxHeight] = [Math.max(right - left, 5), Math.max(bottom - top, 5)];
  const box = [(left + right - boxWidth) / 2, (top + bottom - boxHeight) / 2, boxWidth, boxHeight] as const;
  context.fillStyle = color;
  context.globalAlpha = 0.25;
  context.fillRect(...box);
  context.globalAlpha = 1;
  context.strokeStyle = color;
  context.lineWidth = 2;
  context.strokeRect(...box);
}

/** Degrees as a plain grid, shrunk to the east and west at the latitude of the box. */
function createProjection([west, south, east, north]: Extent, width: number, height: number) {
  const [middleX, middleY] = [(west + east) / 2, (south + north) / 2];
  const shrink = Math.max(0.3, Math.cos((middleY * Math.PI) / 180));
  const spanX = Math.max((east - west) / SHARE, MIN_DEGREES) * shrink;
  const spanY = Math.max((north - south) / SHARE, MIN_DEGREES);
  const scale = Math.max(Math.min(width / spanX, height / spanY), width / 360 / shrink, height / 180);
  const centerX = clamp(middleX, width / scale / shrink, 180);
  const centerY = clamp(middleY, height / scale, 90);
  return ([x = 0, y = 0]: Position) =>
    [width / 2 + (x - centerX) * scale * shrink, height / 2 - (y - centerY) * scale] as const;
}

/** Keeps the picture inside of the world. */
function clamp(center: number, span: number, limit: number): number {
  const most = Math.max(0, limit - span / 2);
  return Math.max(-most, Math.min(most, center));
}

const rings = listRings();

function listRings(): readonly (readonly Position[])[] {
  const found = feature(land, land.objects['land'] ?? { type: 'GeometryCollection', geometries: [] });
  const geometries =
    found.type === 'FeatureCollection' ? found.features.map((each) => each.geometry) : [found.geometry];
  return geometries.flatMap((geometry) =>
    geometry.type === 'Polygon' || geometry.type === 'MultiPolygon' ? listRingsOf(geometry) : [],
  );
}

function listRingsOf({ type, coordinates }: Polygon | MultiPolygon): readonly Position[][] {
  return type === 'Polygon' ? coordinates : coordinates.flat();
}
