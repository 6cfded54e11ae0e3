/** Draws problems as images in the size and format of the requested map. */
import type { ServiceReply } from '../../../http/session/service-reply.ts';
import type { Problem } from '../../../lib/problems/problem.ts';
import type { Pixels } from '../../../rendering/request/map-request.ts';
import { fontFamilies } from '../../../styling/fonts/font-registry.ts';
import { type DrawingContext, loadCanvas } from '../../../styling/legend/canvas/canvas.ts';
import { isAmong } from '../../ows/format-names.ts';
import type { Parameters } from '../../ows/parameters.ts';
import { findSentText, readParameter } from '../../ows/service-parameters.ts';
import { mapFormats } from '../context/map-formats.ts';
import { mapParameters } from '../request/parameters.ts';
import { encodePlain, isPlainPicture } from './map-pictures.ts';

/** The maximum side of such an image. */
const MAX_SIDE = 2_000;

const FONT_PIXELS = 12;
const LINE_PIXELS = 16;
const MARGIN_PIXELS = 4;

/**
 * Returns undefined if no image is requested or the format does not support it; the problem is then reported as text.
 */
export async function drawExceptionPicture(
  parameters: Parameters,
  problem: Problem,
): Promise<ServiceReply | undefined> {
  // The reflector draws maps without naming the operation.
  if ((readParameter(parameters, mapParameters.request) ?? 'GetMap').toLowerCase() !== 'getmap') return undefined;
  const { exceptions, format: formatName, width: across, height: down, transparent } = mapParameters;
  const kind = (readParameter(parameters, exceptions) ?? '').toLowerCase().replace('application/vnd.ogc.se_', '');
  const format = mapFormats.find(({ names }) => isAmong(names, readParameter(parameters, formatName) ?? ''));
  const [width, height] = [across, down].map((side) => {
    const text = findSentText(parameters, side) ?? '';
    return /^\d{1,5}$/.test(text) ? Number(text) : 0;
  });
  const isPicture = kind === 'inimage' || kind === 'blank';
  if (!isPicture || format === undefined || !isPlainPicture(format.encoding)) return undefined;
  if (!width || !height || width > MAX_SIDE || height > MAX_SIDE) return undefined;
  const isTransparent = readParameter(parameters, transparent);
  const pixels = await drawText(width, height, isTransparent, kind === 'inimage' ? problem.message : '');
  return { contentType: format.mediaType, ...(await encodePlain(pixels, format.encoding, isTransparent)) };
}

async function drawText(width: number, height: number, isTransparent: boolean, text: string): Promise<Pixels> {
  const { createCanvas } = await loadCanvas();
  const context = createCanvas(width, height).getContext('2d');
  if (!isTransparent) {
    context.fillStyle = '#ffffff';
    context.fillRect(0, 0, width, height);
  }
  context.font = `${FONT_PIXELS}px "${fontFamilies.sans}"`;
  context.fillStyle = '#aa0000';
  context.textAlign = 'left';
  context.textBaseline = 'alphabetic';
  for (const [index, line] of wrapLines(context, text, width - 2 * MARGIN_PIXELS).entries()) {
    context.fillText(line, MARGIN_PIXELS, MARGIN_PIXELS + FONT_PIXELS + index * LINE_PIXELS);
  }
  const { data } = context.getImageData(0, 0, width, height);
  return { width, height, bytes: new Uint8Array(data.buffer, data.byteOffset, data.byteLength) };
}

function wrapLines(context: DrawingContext, text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && context.measureText(longer).width > width) {
      lines.push(line);
      line = word;
    } else {
      line = longer;
    }
  }
  return line === '' ? lines : [...lines, line];
}
