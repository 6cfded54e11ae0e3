/** Checks of pages by axe. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findOverhang, phone, setTheme } from './console-browser.ts';

let source: Promise<string> | undefined;

/** The rule whose result depends on the theme; it takes longer than all others. */
const CONTRAST = 'color-contrast';

/** Axe takes time for each element. Pages differ in what they show between the rail and the top bar. */
const parts = {
  document: 'document',
  page: `{ exclude: ['.rail', '.top-bar'] }`,
  dialog: `{ include: ['dialog[open]'] }`,
} as const;

export interface AccessibilityOptions {
  /** Those that differ from an earlier check, such as the contrast of another theme. */
  readonly only?: string;
  /** One that an earlier check has covered. */
  readonly without?: string;
  /** The whole document by default. */
  readonly part?: keyof typeof parts;
}

/** Expects that axe finds no violation on the page as it is; the name appears in the message. */
export async function checkAccessibility(page: Page, name: string, how: AccessibilityOptions = {}): Promise<void> {
  // Results of passed rules take a fifth of the time.
  const options = {
    reporter: 'no-passes',
    ...(how.only === undefined ? {} : { runOnly: [how.only] }),
    ...(how.without === undefined ? {} : { rules: { [how.without]: { enabled: false } } }),
  };
  source ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // The debugger is not bound by the policy of the page.
  if (!(await page.evaluate(`'axe' in globalThis`))) await page.evaluate(await source);
  const violations =
    await page.evaluate(`axe.run(${parts[how.part ?? 'document']}, ${JSON.stringify(options)}).then((found) =>
    found.violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html)].join(' ')))`);
  expect([name, violations]).toEqual([name, []]);
}

/** An address below the console, and an element that shows that its page is complete. */
export type CheckedPage = readonly [address: string, selector: string];

/**
 * Follows links to the pages in a signed-in tab, and checks each, the contrast in both themes. On a phone, where the colors
 * are the same, the contrast is checked on the first page, with the frame of all pages. No page may be wider than the
 * window. `further` opens dialogs of a page and checks them, in the dark theme.
 */
export async function checkPages(
  page: Page,
  pages: readonly CheckedPage[],
  further: (address: string, check: (name: string) => Promise<void>) => Promise<void> = async () => undefined,
): Promise<void> {
  const isPhone = page.viewportSize()?.width === phone.width;
  if (isPhone) await setTheme(page, 'dark');
  for (const [index, [address, selector]] of pages.entries()) {
    const part = index === 0 ? 'document' : 'page';
    await followLink(page, 'help');
    await page.waitForSelector('.help-links');
    await followLink(page, address);
    await page.waitForSelector(selector);
    expect([address, await findOverhang(page)]).toEqual([address, 0]);
    if (isPhone) {
      await checkAccessibility(page, address, { part, ...(index === 0 ? {} : { without: CONTRAST }) });
    } else {
      await setTheme(page, 'light');
      await checkAccessibility(page, address, { part });
      await setTheme(page, 'dark');
      await checkAccessibility(page, `${address} in the dark theme`, { part, only: CONTRAST });
    }
    await further(address, (name) => checkAccessibility(page, `${address}: ${name}`, { part: 'dialog' }));
  }
}

/** Opens another page of the console in the same document. */
async function followLink(page: Page, address: string): Promise<void> {
  await page.evaluate(`(() => {
    const root = location.href.slice(0, location.href.indexOf('/console/') + '/console/'.length);
    const link = Object.assign(document.createElement('a'), { href: root + ${JSON.stringify(address)} });
    document.body.append(link);
    link.click();
    link.remove();
  })()`);
}
