import { expect, it } from 'vitest';
import { hideSecrets } from './hide-secrets.ts';

it.each([
  ['http://u:PASSW0RD@tiles.example/x.svg?token=T0KEN', 'http://tiles.example/x.svg'],
  ['https://u:p@ss@tiles.example/a@b.png', 'https://tiles.example/a@b.png'],
  ['//u@tiles.example/x.svg?a=1?b', '//tiles.example/x.svg'],
  ['https://tiles.example?key=a@b/c', 'https://tiles.example'],
  ['https://u:p@tiles.example/sprite.png?token=T#icon=shop', 'https://tiles.example/sprite.png#icon=shop'],
  ['http://chart?cht=p&chd=t:40,60', 'http://chart?cht=p&chd=t:40,60'],
  ['ttf://Survey#0x41', 'ttf://Survey#0x41'],
  ['icons/peak.svg?fill=%23ff0000', 'icons/peak.svg?fill=%23ff0000'],
  ['data:image/png;base64,AA==', 'data:image/png;base64,AA=='],
])('%s becomes %s', (href, shown) => {
  expect(hideSecrets(href)).toBe(shown);
});
