/** Writes the pictures of layers to the directory of a report. */
import type { CommandEnvironment } from '../../client/command.ts';
import type { AreaPictures } from '../maps/compare-maps.ts';
import type { ComparedPictures } from '../model/report.ts';

const FOLDER = 'pictures';

/** File systems limit names to 255 bytes, including the other parts of the name. */
const MAX_NAME_CHARACTERS = 60;

/** Returns a function that writes the pictures of a layer, and returns their names relative to the directory. */
export function createPictureFolder(directory: string, world: CommandEnvironment) {
  let count = 0;
  return async (layer: string, pictures: readonly AreaPictures[]): Promise<readonly ComparedPictures[]> => {
    count += 1;
    // The number keeps names apart that differ in replaced characters only.
    const base = `${FOLDER}/${String(count).padStart(4, '0')}-${toFileName(layer)}`;
    const written: ComparedPictures[] = [];
    for (const { area, ...sides } of pictures) {
      const names: Record<string, string> = {};
      for (const side of ['old', 'new', 'difference'] as const) {
        const bytes = sides[side];
        if (bytes === undefined) continue;
        const name = `${base}-${area}-${side}.png`;
        await world.writeFile(`${directory}/${name}`, streamBytes(bytes));
        names[side] = name;
      }
      written.push({ area, ...names });
    }
    return written;
  };
}

function toFileName(layer: string): string {
  return layer.replaceAll(/[^A-Za-z0-9_-]+/g, '_').slice(0, MAX_NAME_CHARACTERS);
}

async function* streamBytes(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
