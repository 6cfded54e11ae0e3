/** Checks of pages by axe. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

let source: Promise<string> | undefined;

/**
 * Expects that axe finds no violation on the page as it is; the name appears in the message. `rules` are those that
 * differ from an earlier check, such as the contrast of another theme.
 */
export async function checkAccessibility(page: Page, name: string, rules?: readonly string[]): Promise<void> {
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // The debugger is not bound by the policy of the page.
  await page.evaluate(await source);
  const violations = await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then((found) =>
    found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)].join(' ')))`);
  expect([name, violations]).toEqual([name, []]);
}
