/** Checks and evaluates templates: checks of small ones in this thread, everything else in a worker. */
import type { RenderedTemplate } from '../../lib/template/render-template.ts';
import type { WorkerPool } from '../../workers/pool.ts';
import type { TemplateEvaluation } from './template-tasks.ts';

export interface TemplateProcessor {
  /** Returns warnings. Throws `template-invalid`. */
  check(bytes: Uint8Array): Promise<readonly string[]>;
  /** Returns one result for each part, or for each of its features. Throws `template-invalid` or `template-too-costly`. */
  evaluate(evaluation: TemplateEvaluation, signal: AbortSignal): Promise<readonly RenderedTemplate[]>;
  /** Whether a text, which templates have written, is valid JSON. */
  isJson(text: string, signal: AbortSignal): Promise<boolean>;
}

/** Reading templates of this size takes less than 2 ms. */
const MAX_BYTES_AT_ONCE = 16_384;

export function openTemplateProcessor(pool: WorkerPool): TemplateProcessor {
  return {
    async check(bytes) {
      const { checkTemplate, checkTemplateTask } = await import('./template-tasks.ts');
      return bytes.length <= MAX_BYTES_AT_ONCE ? checkTemplate(bytes) : pool.run(checkTemplateTask, bytes);
    },
    async evaluate(evaluation, signal) {
      const { evaluateTemplatesTask } = await import('./template-tasks.ts');
      return pool.run(evaluateTemplatesTask, evaluation, { signal });
    },
    async isJson(text, signal) {
      const { checkJsonTask } = await import('./template-tasks.ts');
      return pool.run(checkJsonTask, text, { signal });
    },
  };
}
