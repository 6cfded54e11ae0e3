/** Reads, converts and draws styles: small ones at once, and all that might take long in a thread. */
import { createLruCache } from '../lib/cache/lru-cache.ts';
import type { WorkerPool } from '../workers/pool.ts';
import type { ContentDescription } from './content/describe-content.ts';
import type { StyleFormat } from './content/style-format.ts';
import type { StyleSummary } from './content/summarise-content.ts';
import type { GraphicFault } from './legend/images/inline-graphics.ts';
import type { GraphicLoader, LegendRequest } from './legend/legend.ts';
import type { StyledLayerDescriptor } from './model/model.ts';
import type { ReceivedStyle, StoredStyle } from './style-tasks.ts';

export interface StyleProcessor {
  /** What is to be known of a style that was sent; throws whatever is wrong with it. */
  describe(sent: ReceivedStyle): Promise<ContentDescription>;
  /** The bytes of a style in another format. `content` names its bytes: conversions are remembered by it. */
  convert(style: StoredStyle, content: string, to: StyleFormat): Promise<Uint8Array>;
  /** What lists tell of a style; read only where nothing is remembered by `content`. */
  summarise(content: string, read: () => Promise<StoredStyle>): Promise<StyleSummary>;
  /** The model of a style; read only where none is remembered by `content`. */
  readModel(content: string, read: () => Promise<StoredStyle>): Promise<StyledLayerDescriptor>;
  /** A legend as a PNG picture. */
  draw(style: StoredStyle, request: LegendRequest, load: GraphicLoader): Promise<Uint8Array>;
  /** The graphics that the style itself contains and that are not drawn. */
  checkGraphics(style: StoredStyle): Promise<readonly GraphicFault[]>;
  /** Throws `style-package-image` for what is no harmless image. Returns a sentence for one that is not drawn. */
  checkImage(name: string, bytes: Uint8Array): Promise<string | undefined>;
}

/**
 * SLD up to here is read within 2 ms, and within 6 ms where every element is a mistake. CSS has no such size: a few rules
 * that overlap can be thousands of combinations.
 */
const MAX_BYTES_AT_ONCE = 24_576;

/** Of conversions that are remembered, together. */
const MAX_REMEMBERED_BYTES = 8_388_608;

/** The bytes of styles whose models are remembered: those take some ten times as much. */
const MAX_MODEL_BYTES = 1_048_576;

/** Summaries that are remembered. */
const MAX_SUMMARIES = 10_000;

/** The readers, writers and painters of styles, which a start can do without. To ask for them again takes a while, too. */
let loaded: Promise<typeof import('./style-tasks.ts')> | undefined;

function loadTasks(): Promise<typeof import('./style-tasks.ts')> {
  loaded ??= import('./style-tasks.ts');
  return loaded;
}

export function openStyleProcessor(pool: WorkerPool): StyleProcessor {
  const conversions = createLruCache<Uint8Array>(MAX_REMEMBERED_BYTES);
  const models = createLruCache<StyledLayerDescriptor>(MAX_MODEL_BYTES);
  const summaries = createLruCache<StyleSummary>(MAX_SUMMARIES);

  return {
    async describe(sent) {
      const { describeStyle, describeStyleTask: describingStyle } = await loadTasks();
      return canBeReadAtOnce(sent) ? describeStyle(sent) : pool.run(describingStyle, sent);
    },
    async convert(style, content, to) {
      const key = [content, style.charset, style.language, to.language, to.version].join(' ');
      const known = conversions.get(key);
      if (known !== undefined) {
        return known;
      }
      const bytes = await convertUncached(pool, style, to);
      conversions.set(key, bytes, bytes.length);
      return bytes;
    },
    async summarise(content, read) {
      const known = summaries.get(content);
      if (known !== undefined) {
        return known;
      }
      const style = await read();
      const { summariseStyle, summariseStyleTask: summarisingStyle } = await loadTasks();
      const summary = isSmall(style.bytes, style.language)
        ? summariseStyle(style)
        : await pool.run(summarisingStyle, style);
      summaries.set(content, summary, 1);
      return summary;
    },
    async readModel(content, read) {
      const known = models.get(content);
      if (known !== undefined) {
        return known;
      }
      const style = await read();
      const { readStyleTask: readingStyle, readStyle } = await loadTasks();
      const model = isSmall(style.bytes, style.language) ? readStyle(style) : await pool.run(readingStyle, style);
      models.set(content, model, style.bytes.length);
      return model;
    },
    async checkGraphics(style) {
      const { checkGraphics, checkGraphicsTask: checkingGraphics } = await loadTasks();
      return isSmall(style.bytes, style.language) ? checkGraphics(style) : pool.run(checkingGraphics, style);
    },
    async draw(style, request, load) {
      const { drawStyleTask: drawingStyle } = await loadTasks();
      const first = await pool.run(drawingStyle, { style, request });
      if ('picture' in first) {
        return first.picture;
      }
      const graphics = new Map<string, Uint8Array>();
      // One after the other: a style that names a hundred pictures shall not open a hundred connections.
      for (const href of first.needs) {
        const bytes = await load(href);
        if (bytes !== undefined) graphics.set(href, bytes);
      }
      const drawn = await pool.run(drawingStyle, { style, request, graphics });
      if ('picture' in drawn) {
        return drawn.picture;
      }
      throw new Error('The legend requires graphics that it did not list.');
    },
    async checkImage(name, bytes) {
      const { checkImageTask: checkingImage, checkPackagedImage } = await loadTasks();
      return bytes.length <= MAX_BYTES_AT_ONCE
        ? checkPackagedImage({ name, bytes })
        : pool.run(checkingImage, { name, bytes });
    },
  };
}

async function convertUncached(pool: WorkerPool, style: StoredStyle, to: StyleFormat): Promise<Uint8Array> {
  const { convertStyleTask: convertingStyle, convertStyle } = await loadTasks();
  const conversion = { style, to };
  return isSmall(style.bytes, style.language) ? convertStyle(conversion) : pool.run(convertingStyle, conversion);
}

function isSmall(bytes: Uint8Array, language: StyleFormat['language']): boolean {
  return language === 'sld' && bytes.length <= MAX_BYTES_AT_ONCE;
}

/** Whatever is sent unchecked may be CSS after all. */
function canBeReadAtOnce(sent: ReceivedStyle): boolean {
  return 'expected' in sent && isSmall(sent.bytes, sent.expected.language);
}
