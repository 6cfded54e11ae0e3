/** Styles in the console: gallery, editor, forms, classification and the styles of a layer. */
import { beforeAll, expect, it } from 'vitest';
import { checkPages } from '../support/console-axe.ts';
import {
  type ConsoleVisit,
  desktop,
  findOverhang,
  phone,
  TIMEOUT_MS,
  useConsoleBrowser,
} from '../support/console-browser.ts';
import { furnishConsoleServer, MARKUP, SECRET_WORKSPACE, shown } from '../support/console-server.ts';
import { useSocketClient } from '../support/socket-client.ts';
import { describeWithTool } from '../support/with-tool.ts';

type Page = ConsoleVisit['page'];

const CSS = 'application/vnd.geoserver.geocss+css';
const ready = '.style-text[data-state=ready]';
const drawn = '.style-map .map-canvas[data-state=drawn]';
const wait = { timeout: TIMEOUT_MS };

const styleAddress = `w/${shown.workspace}/styles`;
const layerQuery = `layer=${shown.workspace}:${shown.layer}`;

describeWithTool('chromium', 'styles in the console', () => {
  const client = useSocketClient();
  const getRoot = () => `http://127.0.0.1:${client.port}/geoserver/console/`;
  const { openSignedIn } = useConsoleBrowser(getRoot);
  let steward: readonly string[];
  beforeAll(async () => {
    steward = await furnishConsoleServer(client.server);
  });

  const send = async (method: 'POST' | 'PUT', path: string, text: string) => {
    const { status } = await client.server.request(method, path, { type: CSS, body: text });
    expect([path, status < 300]).toEqual([path, true]);
  };
  const createStyle = (name: string, text: string) =>
    send('POST', `/workspaces/${shown.workspace}/styles?name=${name}`, text);
  const readStyle = async (name: string) =>
    (await client.server.get(`/workspaces/${shown.workspace}/styles/${name}.css`)).text;

  it('a style is created, checked, drawn, saved and undone by mouse', async () => {
    const { page } = await openSignedIn('');
    await page.click('.rail >> text=Styles');
    await page.click('text=New style');
    await page.fill('dialog [name=name]', 'squares');
    await page.selectOption('dialog [name=workspace]', shown.workspace);
    await page.click('dialog >> text=Create and edit');
    await page.waitForSelector(ready);
    await page.fill('.style-layer input', `${shown.workspace}:${shown.layer}`);
    await page.waitForSelector(drawn);
    await expect.poll(() => readCenter(page), wait).toBe('158,202,225,255');

    await replaceText(page, '* {\n  fil: red;\n}\n');
    await page.waitForSelector('.style-verdict-error');
    expect(await page.textContent('.style-problem-item')).toContain(
      "2:3Error: Unknown property 'fil'. Did you mean 'fill'?",
    );
    await page.waitForSelector('.cm-lint-marker-error');
    await page.click('.style-problem-item');
    await expect.poll(() => page.locator('.cm-activeLine').textContent(), wait).toBe('  fil: red;');

    await replaceText(page, '* { fill: #00ff00; }');
    await page.waitForSelector('.style-verdict-good');
    await expect.poll(() => readCenter(page), wait).toBe('0,255,0,255');
    await page.click('.cm-line');
    await page.keyboard.press('Home');
    for (let step = 0; step < 12; step += 1) await page.keyboard.press('ArrowRight');
    await page.fill('.style-value input[type=color]', '#0000ff');
    await expect.poll(() => readCenter(page), wait).toBe('0,0,255,255');
    await page.waitForSelector('.style-legend-picture[data-drawn=yes]');
    await page.click('.style-views >> text=As SLD');
    expect(await page.textContent('.style-sld pre')).toContain('<CssParameter name="fill">#0000FF</CssParameter>');

    await page.click('.style-tools >> text="Save"');
    await page.waitForSelector('.toast:has-text("Style squares is saved.")');
    expect(await readStyle('squares')).toBe('* { fill: #0000ff; }');
    await page.click('.toast:has-text("is saved") >> text=Undo');
    await page.waitForSelector('.toast:has-text("is undone")');
    expect(await readStyle('squares')).toContain('#9ecae1');
    await page.click('.style-views >> text=CSS');
    await expect.poll(() => readText(page), wait).toContain('#9ecae1');
  });

  it('a style is found, changed and saved by keyboard only, with completion', async () => {
    await createStyle('keys', '* { fill: #ff0000; }');
    const { page } = await openSignedIn('');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForSelector('.gallery-card');
    await page.keyboard.press('f');
    await page.keyboard.type('keys');
    await page.waitForSelector('.gallery:has(.gallery-card):not(:has(.gallery-card ~ .gallery-card))');
    await tabTo(page, '.gallery-link');
    await page.keyboard.press('Enter');
    await page.waitForSelector(ready);
    await tabTo(page, '.style-text');
    await page.keyboard.press('Control+End');
    // Keys of the page, such as ? and g, are text in the editor.
    await page.keyboard.type('\n/* g l ? */\n* { stroke-lineca');
    await page.waitForSelector('.cm-tooltip-autocomplete');
    await page.keyboard.press('Enter');
    await page.keyboard.type('rou');
    await page.waitForSelector('.cm-tooltip-autocomplete >> text=round');
    await page.keyboard.press('Enter');
    await page.keyboard.type('; stroke: x');
    await page.waitForSelector('.style-verdict-error');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('F8');
    await expect
      .poll(() => page.evaluate(`${editorRoot}.querySelector('.cm-activeLine')?.textContent`))
      .toContain('stroke: x');
    await page.keyboard.press('Control+End');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('#123456; }');
    await page.waitForSelector('.style-verdict-good');
    await page.keyboard.press('Control+s');
    await page.waitForSelector('.toast:has-text("Style keys is saved.")');

    const saved = await readStyle('keys');
    expect(saved).toContain('/* g l ? */\n* { stroke-linecap: round; stroke: #123456; }');
    expect(await page.title()).toBe('keys · Graticule');
  });

  it('is read-only on a phone until the user edits anyway, without a horizontal scroll bar', async () => {
    await createStyle('small', '* { fill: #ff0000; }');
    const { page } = await openSignedIn('styles', { viewport: phone });
    await page.waitForSelector('.gallery-card');
    const widths = [await findOverhang(page)];
    await page.click('.gallery-link:has-text("small")');
    await page.waitForSelector(ready);
    widths.push(await findOverhang(page));
    expect(await page.getAttribute('.cm-content', 'aria-readonly')).toBe('true');

    await page.click('text=Edit anyway');
    await replaceText(page, '* { fill: #00ff00; }');
    await page.waitForSelector('.style-verdict-good');
    await page.click('.style-tools >> text=Forms');
    await page.waitForSelector('.visual-rule');
    widths.push(await findOverhang(page));
    await page.click('.style-tools >> text="Save"');
    await page.waitForSelector('.toast:has-text("Style small is saved.")');
    await page.goto(new URL(`w/${shown.workspace}/layers/${shown.layer}?tab=style`, getRoot()).href);
    await page.waitForSelector('.style-tab-table td');
    widths.push(await findOverhang(page));

    expect(await readStyle('small')).toBe('* { fill: #00ff00; }');
    expect(widths).toEqual([0, 0, 0, 0]);
  });

  it('keeps a text that is not saved in the tab, and shows both texts if another user has saved meanwhile', async () => {
    await createStyle('shared', '* { fill: #ff0000; }');
    const { page } = await openSignedIn(`${styleAddress}/shared?${layerQuery}`);
    await page.waitForSelector(ready);
    await replaceText(page, '* { fill: #00ff00; }');
    await page.waitForSelector('.style-verdict-good');
    await send('PUT', `/workspaces/${shown.workspace}/styles/shared`, '* { fill: #0000ff; }');
    await page.waitForSelector('.style .notice-warning');
    await page.reload();
    await page.waitForSelector(ready);
    expect(await readText(page)).toBe('* { fill: #00ff00; }');
    expect(await page.textContent('.style-dirty')).toBe('Not saved');

    await page.click('.style-tools >> text="Save"');
    await page.waitForSelector('dialog >> text=admin has saved this style');
    expect(await page.locator('.style-line-different').allTextContents()).toEqual([
      '● * { fill: #00ff00; }',
      '● * { fill: #0000ff; }',
    ]);
    await page.click('dialog >> text=Save my text');
    await page.waitForSelector('.toast:has-text("Style shared is saved.")');

    expect(await readStyle('shared')).toBe('* { fill: #00ff00; }');
    expect(await page.evaluate('Object.keys(sessionStorage).filter((key) => key.includes("style"))')).toEqual([]);
  });

  it('changes values by forms and keeps the rest as it is written', async () => {
    const text = `/* @title ${MARKUP} */\n[rank > 5] {\n  fill: red;   /* mine */\n  stroke: [name];\n}\n`;
    await createStyle('forms', text);
    const { page } = await openSignedIn(`${styleAddress}/forms?view=visual&${layerQuery}`);
    await page.waitForSelector('.visual-rule');
    expect(await page.textContent('.visual-rule h2')).toBe(MARKUP);
    expect(await page.textContent('.visual-by-hand pre')).toBe('stroke: [name];');

    await page.fill('.visual-condition >> nth=0 >> input', 'Tall');
    await page.keyboard.press('Tab');
    await page.waitForSelector('.visual-rule h2:text-is("Tall")');
    await page.fill('[data-part=fill] input[type=color]', '#123456');
    await page.check('[data-part=label] legend input');
    await page.selectOption('[data-part=label] select >> nth=0', 'rank');
    await page.click('.style-tools >> text="Save"');
    await page.waitForSelector('.toast:has-text("Style forms is saved.")');

    expect(await readStyle('forms')).toBe(
      text
        .replace(MARKUP, 'Tall')
        .replace('red', '#123456')
        .replace('[name];', '[name];\n  label: [rank];\n  font-size: 12;'),
    );
  });

  it('writes the conditions of rows as a filter, and leaves other filters to the text', async () => {
    const text = '[rank IN (1, 2)] {\n  fill: red;\n}\n\n* {\n  fill: blue;\n}\n';
    await createStyle('filters', text);
    const { page } = await openSignedIn(`${styleAddress}/filters?view=visual&${layerQuery}`);
    await page.waitForSelector('.visual-rule >> nth=1');
    const rule = page.locator('.visual-rule').nth(1);
    expect(await page.locator('.visual-rule').nth(0).locator('.filter-rows').count()).toBe(0);
    await rule.locator('text=Add condition').click();
    await rule.getByLabel('Attribute of condition 1').fill('rank');
    await page.keyboard.press('Tab');
    await rule.getByLabel('Operator of condition 1').selectOption('>=');
    await rule.getByLabel('Value of condition 1').fill('3');
    await page.keyboard.press('Tab');
    await rule.locator('text=Add condition').click();
    await rule.getByLabel('Attribute of condition 2').fill('name');
    await page.keyboard.press('Tab');
    await rule.getByLabel('Value of condition 2').fill(MARKUP);
    await page.keyboard.press('Tab');
    await rule.getByLabel('How the conditions are combined').selectOption('OR');
    const marked = MARKUP.replaceAll("'", "''");
    const filter = `[rank >= 3 OR name = '${marked}']`;
    await expect.poll(() => rule.locator('.visual-condition input').nth(1).inputValue()).toBe(filter);
    await page.click('.style-tools >> text="Save"');
    await page.waitForSelector('.toast:has-text("Style filters is saved.")');

    expect(await readStyle('filters')).toBe(text.replace('* {', `${filter} {`));
    await rule.getByLabel('Remove condition 2').click();
    await rule.getByLabel('Remove condition 1').click();
    await expect.poll(() => rule.locator('.visual-condition input').nth(1).inputValue()).toBe('');
  });

  it('classifies an attribute, with its values as text', async () => {
    await createStyle('classes', '* { fill: red; }');
    const { page } = await openSignedIn(`${styleAddress}/classes?${layerQuery}`);
    await page.waitForSelector(ready);
    await page.click('text=Classify…');
    await page.selectOption('.wizard select >> nth=0', 'name');
    await page.waitForSelector('.wizard-classes li >> nth=0');
    await expect.poll(() => page.textContent('.wizard-classes li'), wait).toBe(MARKUP);
    await page.selectOption('.wizard select >> nth=0', 'rank');
    await page.fill('.wizard input[type=range]', '4');
    await page.check('.wizard [value=ember]');
    await page.waitForSelector('.wizard-classes h3:text-is("4 classes")');
    await page.click('text=Write the style');
    await page.waitForSelector('.style-verdict-good');

    const text = await readText(page);
    expect(text.match(/@title/g)).toHaveLength(4);
    expect(text).toContain('[rank >= 0 AND rank <= ');
    expect(text).toContain('fill: #fff3d1;');
    expect(await page.textContent('.style-dirty')).toBe('Not saved');
  });

  it('assigns styles to a layer, and copies and deletes styles with the layers in the way', async () => {
    await createStyle('first', '* { fill: #ff0000; }');
    const { page } = await openSignedIn(`w/${shown.workspace}/layers/${shown.layer}?tab=style`);
    const layerPath = `/workspaces/${shown.workspace}/layers/${shown.layer}`;
    const row = (name: string) => `.style-tab-table tr:has-text("${shown.workspace}:${name}")`;
    await page.click(`${row('first')} input[type=radio]`);
    await page.waitForSelector('.toast:has-text("are saved")');
    await page.click(`${row('red')} input[type=checkbox]`);
    await page.waitForSelector('.toast >> nth=1');
    const { layer } = (await client.server.get(`${layerPath}.json`)).json() as {
      readonly layer: Readonly<Record<string, unknown>>;
    };
    expect(layer).toMatchObject({
      defaultStyle: { name: `${shown.workspace}:first` },
      styles: { style: [{ name: `${shown.workspace}:red` }] },
    });
    await page.click('text=New style for this layer');
    await page.fill('dialog [name=name]', 'second');
    await page.click('dialog >> text=Create and edit');
    await page.waitForSelector(drawn);
    expect(await page.inputValue('.style-layer input')).toBe(`${shown.workspace}:${shown.layer}`);

    await page.goto(new URL(`${styleAddress}?q=second`, getRoot()).href);
    await page.click('.gallery-menu');
    await page.click('.menu-item:has-text("Delete")');
    await page.waitForSelector('.style-blockers');
    expect(await page.textContent('.style-blockers')).toBe(`layer '${shown.workspace}:${shown.layer}'`);
    await page.check('dialog input[type=checkbox]');
    await page.click('dialog .button-primary');
    await page.waitForSelector('.toast:has-text("Style second is deleted.")');
    await page.goto(new URL(`${styleAddress}?q=first`, getRoot()).href);
    await page.click('.gallery-menu');
    await page.click('.menu-item:has-text("Copy")');
    await page.fill('dialog [name=name]', 'third');
    await page.click('dialog .button-primary');
    await page.waitForSelector(ready);
    expect(await readStyle('third')).toBe('* { fill: #ff0000; }');
  });

  it('shows a data steward global styles read-only, and nothing of other workspaces', async () => {
    const { page, bodies } = await openSignedIn('styles', {}, steward);
    await page.waitForSelector('.gallery-section >> nth=1');
    await page.goto(new URL('styles/polygon', getRoot()).href);
    await page.waitForSelector(ready);
    await page.waitForSelector('text=Only administrators of the server can change this style.');
    expect(await page.getAttribute('.cm-content', 'aria-readonly')).toBe('true');
    await page.click('text=Save as…');
    await page.fill('dialog [name=name]', 'mine');
    expect(await page.locator('dialog option').allTextContents()).toEqual([shown.workspace]);
    await page.click('dialog .button-primary');
    await page.waitForSelector('.toast:has-text("Style mine is created.")');
    await page.waitForSelector(`h1:text-is("mine")`);

    expect((await bodies()).filter((text) => text.includes(SECRET_WORKSPACE))).toEqual([]);
  });

  it.each([
    ['desktop', desktop],
    ['phone', phone],
  ] as const)('axe finds no violation on any page of styles: %s', async (_, viewport) => {
    const { page } = await openSignedIn('styles', { viewport });
    const editor = `${styleAddress}/red?${layerQuery}`;
    const forms = `${editor}&view=visual`;
    await checkPages(
      page,
      [
        ['styles', '.gallery-swatch[data-drawn=yes]'],
        ['styles?new=style', 'dialog'],
        [editor, `.style:has(${drawn}):has(.style-verdict-good)`],
        [forms, '.visual-rule'],
        [`w/${shown.workspace}/layers/${shown.layer}?tab=style`, '.style-tab-table td'],
      ],
      async (address, check) => {
        if (address !== forms || viewport === phone) return;
        await page.click('text=Classify…');
        await page.waitForSelector('.wizard-classes');
        await check('classification');
      },
    );
  });
});

const editorRoot = `document.querySelector('.style-text').shadowRoot`;

function readText(page: Page): Promise<string> {
  return page.evaluate(`[...${editorRoot}.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\\n')`);
}

async function replaceText(page: Page, text: string): Promise<void> {
  await page.click('.cm-content');
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}

/** Presses Tab until an element that matches has the focus. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not reach ${selector}`);
}

/** The colour at the center of the map; the last picture is on top. */
function readCenter(page: Page): Promise<string> {
  return page.evaluate(`(() => {
    const canvas = [...document.querySelectorAll('.style-map canvas')].at(-1);
    if (canvas === undefined) return '';
    const { width, height } = canvas;
    return [...canvas.getContext('2d').getImageData(width / 2, height / 2, 1, 1).data].join();
  })()`);
}
