/** The favicon, served before sign-in: a globe with its graticule. */
import { ANYONE } from '../../http/auth/auth.ts';
import type { RouteTable } from '../../http/routes/route.ts';
import { family, getContent, type Services } from '../common/services.ts';

/** An image of 32 by 32 pixels in base64. */
const picture = [
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAJFBMVEUAAAAAYJAAYJAAYJAAYJAwYJCQwMAwkJCQwPBgkMDAwPDA',
  '8PBRNg1oAAAADHRSTlMAQIDA//////////8zfQt1AAABAUlEQVR42pWTWZbEIAhFK/rwiex/v32AWEkqprrbDwe8Mgmv1z/GVioA',
  '1LItrwtOo9xfAxBBI5uvwHZ7Ll0xjLQObfKhpABqA2oOmIN6IQpkuNwSMCe7HMQGDDMTToBiZuPwAxCSjBkgKT5RgGmAfEuBN8tp',
  'JA2Yut40YaKWRtKDkBn1AHQXhRcFcbO/2oHQZho2Knqc0A6gwXKpAYwnYASAGYQcUWREfvoLUFPds4mVD5pAD6DkjeEeZoswZ6IW',
  'echEzVTznGqeUu3V8P2z9u+Wx+/+vWCWJTfkWpTo16Jti7LuiuZAi+1n70TjIBvHN/XeftmYOeq6O1/FoafefRo/wzEUq0g2WFoA',
  'AAAASUVORK5CYII=',
].join('');

export function faviconRoutes(): RouteTable<Services> {
  return family('Icon', { description: 'Icon of the pages.', formats: [], formatGroup: 'contents' }, [
    getContent('/favicon.ico', 'Read the icon of the pages', { mediaType: 'image/png', role: ANYONE }, async () =>
      Buffer.from(picture, 'base64'),
    ),
  ]);
}
