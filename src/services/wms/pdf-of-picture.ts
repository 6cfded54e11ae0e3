/** A PDF document of one page that shows a picture, at 72 pixels to the inch. */
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { Pixels } from '../../rendering/map-request.ts';

const packed: (bytes: Uint8Array) => Promise<Buffer> = promisify(deflate);

/** The colours and, as a mask beside them, the opacities. */
export async function pdfOfPicture({ width, height, bytes }: Pixels): Promise<Buffer> {
  const colours = new Uint8Array(width * height * 3);
  const opacities = new Uint8Array(width * height);
  for (let place = 0; place < width * height; place += 1) {
    colours.set(bytes.subarray(place * 4, place * 4 + 3), place * 3);
    opacities[place] = bytes[place * 4 + 3] ?? 255;
  }
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 8 /Filter /FlateDecode`;
  const objects = [
    object('/Type /Catalog /Pages 2 0 R'),
    object('/Type /Pages /Kids [3 0 R] /Count 1'),
    object(
      `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /XObject << /Map 5 0 R >> >> /Contents 4 0 R`,
    ),
    stream('', Buffer.from(`${width} 0 0 ${height} 0 0 cm /Map Do`)),
    stream(`${image} /ColorSpace /DeviceRGB /SMask 6 0 R`, await packed(colours)),
    stream(`${image} /ColorSpace /DeviceGray`, await packed(opacities)),
  ];
  return document(objects);
}

function object(entries: string): Buffer {
  return Buffer.from(`<< ${entries} >>`);
}

function stream(entries: string, content: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);
}

/** The table behind the objects says at which byte each begins. */
function document(objects: readonly Buffer[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const places: number[] = [];
  let length = parts[0]?.length ?? 0;
  for (const [index, content] of objects.entries()) {
    const part = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), content, Buffer.from('\nendobj\n')]);
    places.push(length);
    parts.push(part);
    length += part.length;
  }
  const rows = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const size = objects.length + 1;
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
