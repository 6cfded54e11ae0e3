/** Connects the styles of the catalog to the files, the gates and the limits of the server. */
import { createStyleContents } from '../../catalog/styles/style-contents.ts';
import type { StyleServices } from '../../catalog/styles/style-services.ts';
import { createUploadedFonts } from '../../catalog/styles/uploaded-fonts.ts';
import type { UrlGate } from '../../gates/url-gate.ts';
import { createConcurrencyLimiter } from '../../lib/async/concurrency-limiter.ts';
import type { Files } from '../../records/files/files.ts';
import { MissingGlyphLog } from '../../styling/fonts/missing-glyphs.ts';
import { openStyleProcessor } from '../../styling/style-processor.ts';
import { openTemplateProcessor } from '../../styling/templates/template-processor.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import { limits } from '../settings/limits.ts';

export function openStyleServices(parts: {
  readonly files: Files;
  readonly urlGate: UrlGate;
  readonly workers: WorkerPool;
}): StyleServices {
  const { files, urlGate, workers } = parts;
  const contents = createStyleContents(files);
  const work = openStyleProcessor(workers);
  return {
    ...limits.style,
    contents,
    fonts: createUploadedFonts(contents, work),
    missingGlyphs: new MissingGlyphLog(),
    work,
    templates: openTemplateProcessor(workers),
    files,
    urlGate,
    archiveLimits: limits.archive,
    deadline: (ms) => AbortSignal.timeout(ms),
    render: createConcurrencyLimiter(limits.style.maxRenderings),
  };
}
