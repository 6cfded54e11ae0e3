/** Reads, converts and draws styles: small ones in this thread, and potentially slow ones in a worker. */
import { createLruCache } from '../lib/cache/lru-cache.ts';
import { joinChunks } from '../workers/large-values.ts';
import type { WorkerPool } from '../workers/pool.ts';
import type { NumberClasses, NumberClassification } from './classification/classify-numbers.ts';
import type { ContentDescription } from './content/describe-content.ts';
import type { StyleFormat } from './content/style-format.ts';
import type { StyleSummary } from './content/summarise-content.ts';
import { isFontName, type MeasuredFont } from './fonts/font-file.ts';
import type { GraphicFault } from './legend/images/inline-graphics.ts';
import type { GraphicLoader, LegendRequest } from './legend/legend.ts';
import type { StyledLayerDescriptor } from './model/model.ts';
import type { JoinedStyles, MbLayersRequest, MbLayersText, ReceivedStyle, StoredStyle } from './style-tasks.ts';

export interface StyleProcessor {
  /** Describes a received style; throws its errors. */
  describe(sent: ReceivedStyle): Promise<ContentDescription>;
  /** Converts the bytes of a style to another format. `content` identifies the bytes, for the cache. */
  convert(style: StoredStyle, content: string, to: StyleFormat): Promise<Uint8Array>;
  /** Summarises a style for lists. Calls `read` only if `content` is not cached. */
  summarise(content: string, read: () => Promise<StoredStyle>): Promise<StyleSummary>;
  /** Returns the model of a style. Calls `read` only if `content` is not cached. */
  readModel(content: string, read: () => Promise<StoredStyle>): Promise<StyledLayerDescriptor>;
  /** Writes a style as layers of a MapLibre style; undefined if the document contains no style. */
  writeMbLayers(style: StoredStyle, request: MbLayersRequest): Promise<MbLayersText | undefined>;
  /** Writes the styles of several layers as one SLD document. */
  join(styles: JoinedStyles): Promise<string>;
  /** Draws a legend as a PNG picture. */
  draw(style: StoredStyle, request: LegendRequest, load: GraphicLoader): Promise<Uint8Array>;
  /** Lists the inline graphics that are not drawn. */
  checkGraphics(style: StoredStyle): Promise<readonly GraphicFault[]>;
  /** Throws `style-package-image` for an invalid or active image. Returns a warning for an image that is not drawn. */
  checkImage(name: string, bytes: Uint8Array): Promise<string | undefined>;
  /** Reads the names and characters of a font; throws `font-invalid`. */
  describeFont(name: string, bytes: Uint8Array): Promise<MeasuredFont>;
  /** Computes classes of numbers. */
  classify(request: NumberClassification, signal: AbortSignal): Promise<NumberClasses>;
}

/**
 * Reading SLD of this size takes 2 ms, and 6 ms if every element has an error. CSS has no such limit: a few
 * overlapping rules can have thousands of combinations.
 */
const MAX_BYTES_AT_ONCE = 24_576;

/** The total size of cached conversions. */
const MAX_REMEMBERED_BYTES = 8_388_608;

/** The total size of the styles with cached models; a model takes about ten times as much. */
const MAX_MODEL_BYTES = 1_048_576;

/** The number of cached summaries. */
const MAX_SUMMARIES = 10_000;

/**
 * Loaded lazily, because a start does not need the readers, writers and painters. Cached, because repeated imports are
 * slow.
 */
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
      const summary = isSmall(style) ? summariseStyle(style) : await pool.run(summarisingStyle, style);
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
      const received = isSmall(style) ? readStyle(style) : await pool.run(readingStyle, style);
      const model = 'chunks' in received ? ((await joinChunks(received)) as StyledLayerDescriptor) : received;
      models.set(content, model, style.bytes.length);
      return model;
    },
    async writeMbLayers(style, request) {
      const { writeMbLayersTask, writeMbLayers } = await loadTasks();
      return isSmall(style) ? writeMbLayers({ style, request }) : pool.run(writeMbLayersTask, { style, request });
    },
    async join(joined) {
      const { joinStylesTask, joinStyles } = await loadTasks();
      const styles = joined.layers.flatMap((layer) => layer.styles.map(({ style }) => style));
      const sizeBytes = styles.reduce((sum, { bytes }) => sum + bytes.length, 0);
      return sizeBytes <= MAX_BYTES_AT_ONCE && styles.every(isSmall)
        ? joinStyles(joined)
        : pool.run(joinStylesTask, joined);
    },
    async checkGraphics(style) {
      const { checkGraphics, checkGraphicsTask: checkingGraphics } = await loadTasks();
      return isSmall(style) ? checkGraphics(style) : pool.run(checkingGraphics, style);
    },
    async draw(style, request, load) {
      const { drawStyleTask: drawingStyle } = await loadTasks();
      const first = await pool.run(drawingStyle, { style, request });
      if ('picture' in first) {
        return first.picture;
      }
      const graphics = new Map<string, Uint8Array>();
      // Load sequentially: a style with a hundred pictures must not open a hundred connections.
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
      return bytes.length <= MAX_BYTES_AT_ONCE && !isFontName(name)
        ? checkPackagedImage({ name, bytes })
        : pool.run(checkingImage, { name, bytes });
    },
    async describeFont(name, bytes) {
      const { describeFontTask } = await loadTasks();
      return pool.run(describeFontTask, { name, bytes });
    },
    async classify(request, signal) {
      const { classifyNumbersTask } = await import('./classification/classify-numbers.ts');
      return pool.run(classifyNumbersTask, request, { signal });
    },
  };
}

async function convertUncached(pool: WorkerPool, style: StoredStyle, to: StyleFormat): Promise<Uint8Array> {
  const { convertStyleTask: convertingStyle, convertStyle } = await loadTasks();
  const conversion = { style, to };
  return isSmall(style) ? convertStyle(conversion) : pool.run(convertingStyle, conversion);
}

function isSmall({ bytes, language }: Pick<StoredStyle, 'bytes' | 'language'>): boolean {
  return language === 'sld' && bytes.length <= MAX_BYTES_AT_ONCE && !mayHaveEntities(bytes);
}

/** Entities of a small document can expand to a large one. */
function mayHaveEntities(bytes: Uint8Array): boolean {
  // Without zero bytes, a document in UTF-16 is readable here too.
  return Buffer.from(bytes).toString('latin1').replaceAll('\0', '').includes('<!DOCTYPE');
}

/** Unchecked content may be CSS. */
function canBeReadAtOnce(sent: ReceivedStyle): boolean {
  return 'expected' in sent && isSmall({ bytes: sent.bytes, language: sent.expected.language });
}
