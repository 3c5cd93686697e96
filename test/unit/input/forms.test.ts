import type { Convert } from '../../../nodes/shared/input/field';
import { toColor } from '../../../nodes/shared/input/convert';
import { toEmail, toEmailEntry, toPhpVersion, toUrl } from '../../../nodes/shared/input/forms';
import { toImageUri } from '../../../nodes/Branding/resources/loginScreenBranding';
import { toIpAddress, toTimeOfDay } from '../../../nodes/Site/resources/site';
import { toDigits } from '../../../nodes/StagingSite/resources/stagingSite';

/** What has the form that the service wants, and what only looks like it. */

const zoned = { getTimezone: () => 'utc' };

const forms: Array<[name: string, convert: Convert, right: string[], wrong: string[]]> = [
	[
		'an email address',
		toEmail,
		[
			'owner@example.com',
			'a.b+c@mail.example.co.uk',
			"o'neil@example.com",
			'!#$%&*/=?^_`{|}~@example.com',
			'"john..doe"@example.com',
			'müller@müller-bäckerei.de',
			'info@xn--mller-kva.de',
			'用户@例子.广告',
			'अजय@उदाहरण.भारत',
			'a@paral·lel.cat',
			'root@[192.0.2.1]',
			'a@b-c.example',
		],
		[
			'owner',
			'owner@',
			'@example.com',
			'owner@example',
			'owner@.com',
			'owner@example.',
			'a b@example.com',
			'owner@exam ple.com',
			'owner@example.c m',
			'a,b@example.com',
			'a@example.com,b@example.com',
			'a@b@example.com',
			'a;b@example.com',
		],
	],
	[
		'a color',
		toColor,
		['#2f80ed', '#2F80ED', '#fff'],
		['2f80ed', '#2f80e', '#2f', '#f', '#2f80edf', '#ggg', 'a#fff', '#fff;'],
	],
	[
		'a version of PHP',
		toPhpVersion,
		['8', '8.2', '8.2.14', '10.10.10'],
		['8.', '.8', '8.2.1.4', 'v8', '8.x', '8.2 beta', '-8'],
	],
	['digits', toDigits, ['0', '0042'], ['', '4.2', '-4', '4 2', 'x4', '4x']],
	[
		'a time of day',
		toTimeOfDay,
		['00:00:00Z', '09:59:59Z', '19:30:00Z', '23:59:59Z'],
		['24:00:00Z', '3:30:00Z', '03:60:00Z', '03:30:60Z', '03:30:00', '03:30Z', '103:30:00Z'],
	],
	[
		'an image as a data URI',
		toImageUri,
		['data:image/png;base64,YQ==', 'data:image/svg+xml;base64,YWI=', 'data:image/gif;base64,YWJj'],
		[
			'data:text/plain;base64,YQ==',
			'data:image/;base64,YQ==',
			'data:image/png;base64,',
			'data:image/png;base64,YQ===',
			'data:image/png;base64,Y!==',
			'data:image/p ng;base64,YQ==',
			'data:image/png,YQ==',
			'x data:image/png;base64,YQ==',
		],
	],
	[
		'a URL',
		toUrl,
		[
			'http://example.com',
			'https://example.com/a?b#c',
			'HTTPS://EXAMPLE.COM',
			'http://127.0.0.1:81',
		],
		[
			'example.com',
			'ftp://example.com',
			'https:example.com',
			'https:///example.com',
			'https:// example.com',
			'https://example.com/a b',
			'https://',
			'https://:80',
			'https://[::1',
			'see https://example.com',
			'https://exam\u200bple.com',
			'https://example.com/\u202eb',
		],
	],
	[
		'an IP address',
		toIpAddress,
		['0.0.0.0', '10.20.30.40', '255.255.255.255', '::1', '2001:DB8::ff'],
		[
			'256.0.0.1',
			'1.2.3',
			'1.2.3.4.5',
			'01.2.3.4',
			'1.2.3.x',
			'1.2.3.1000',
			'1.2..4',
			'example.com',
			'::g',
			'1:2',
			'[::1]',
			'0x1.2.3.4',
		],
	],
];

describe.each(forms)('%s', (_, convert, right, wrong) => {
	it.each(right)('accepts %j, with blanks around it, too', (text) => {
		expect(convert(text, zoned)).toBe(text);
		expect(convert(` ${text}\n`, zoned)).toBe(text);
	});

	it.each(wrong)('refuses %j', (text) => {
		expect(() => convert(text, zoned)).toThrow(/^(is not|has|must)/);
	});
});

describe('an address with a wrong character', () => {
	it.each([
		['own\u200ber@example.com', 'contains the character U+200B'],
		['owner@example.com\u200b', 'contains the character U+200B'],
		['\u202aowner@example.com\u202c', 'contains the character U+202A'],
		['\u200eowner@example.com', 'contains the character U+200E'],
		['owner\u2066@example.com', 'contains the character U+2066'],
		['own\u00ader@example.com', 'contains the character U+00AD'],
		['a\ufeffb@example.com', 'contains the character U+FEFF'],
		['a\u0000b@example.com', 'contains the character U+0000'],
		['a\u2800b@example.com', 'contains the character U+2800'],
		['a\u3164b@example.com', 'contains the character U+3164'],
		['a\u00a0b@example.com', 'contains the character U+00A0'],
		['a b@example.com', 'contains " "'],
		['mailto:owner@example.com', 'contains ":"'],
		['MailTo:owner@example.com', 'contains ":"'],
		['owner@example.com>', 'contains ">"'],
		['<owner@example.com', 'contains "<"'],
		['<owner@example.com>', 'contains "<"'],
		['Owner <owner@example.com>', 'contains " "'],
		['owner@example.com)', 'contains ")"'],
		['"owner@example.com"', 'contains """'],
		["'owner@example.com'", `contains "'"`],
		['owner@example.com”', 'contains the character U+201D'],
		['owner@example.com/', 'contains "/"'],
		['owner@example.com?subject=x', 'contains "?"'],
		['own:er@example.com', 'contains ":"'],
		['owner\\@example.com', 'contains "\\"'],
		['owner..b@example.com', 'contains ".."'],
		['owner@example..com', 'contains ".."'],
		['owner@example.com..', 'contains ".."'],
		['owner.@example.com', 'contains ".@"'],
		['owner@.example.com', 'contains "@."'],
		['.owner@example.com', 'contains "."'],
		['owner@example.com.', 'contains "."'],
	])('%j names it', (text, sign) => {
		for (const [convert, what] of [
			[toEmail, 'is not an email address'],
			[toEmailEntry, 'contains an invalid email address'],
		] as const) {
			const refused = () => convert(text);
			expect(refused).toThrow(`${what}: `);
			expect(refused).toThrow(`" ${sign}. Enter only the address, such as name@example.com`);
		}
	});
});

it('a refusal repeats the value', () => {
	expect(() => toColor('red')).toThrow('is not a hex color, such as #2f80ed: "red"');
});
