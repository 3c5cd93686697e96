import type { Convert } from '../../../nodes/shared/input/field';
import { toColor } from '../../../nodes/shared/input/convert';
import { toEmail, toEmailEntry, toPhpVersion, toUrl } from '../../../nodes/shared/input/forms';
import { toImageUri } from '../../../nodes/Branding/resources/loginScreenBranding';
import { toIpAddress, toTimeOfDay } from '../../../nodes/Site/resources/site';
import { toDigits } from '../../../nodes/StagingSite/resources/stagingSite';

/** What has the form that the service wants, and what only looks like it. */

const zoned = { getTimezone: () => 'utc' };

/** What is right and what is wrong, each between bars. */
const forms: Record<string, [convert: Convert, right: string, wrong: string]> = {
	'an email address': [
		toEmail,
		'"john..doe"@example.com|!#$%&*/=?^_`{|}~@example.com|müller@müller-bäckerei.de|用户@例子.广告|अजय@उदाहरण.भारत|a@paral·lel.cat|root@[192.0.2.1]|a@b-c.example',
		'owner|owner@|@example.com|owner@example|owner@exam ple.com|a,b@example.com|a@b@example.com|a;b@example.com',
	],
	'a color': [toColor, '#2f80ed|#2F80ED|#fff', '2f80ed|#2f80e|#f|#2f80edf|#ggg|a#fff|#fff;'],
	'a version of PHP': [toPhpVersion, '8|8.2|10.10.10', '8.|.8|8.2.1.4|v8|8.x|8.2 beta|-8'],
	digits: [toDigits, '0|0042', '4.2|-4|4 2|x4|4x'],
	'a time of day': [
		toTimeOfDay,
		'00:00:00Z|09:59:59Z|19:30:00Z|23:59:59Z',
		'24:00:00Z|3:30:00Z|03:60:00Z|03:30:60Z|03:30:00|03:30Z|103:30:00Z',
	],
	'an image as a data URI': [
		toImageUri,
		'data:image/png;base64,YQ==|data:image/svg+xml;base64,YWI=|data:image/gif;base64,YWJj',
		'data:text/plain;base64,YQ==|data:image/;base64,YQ==|data:image/png;base64,|data:image/png;base64,YQ===|data:image/png;base64,Y!==|data:image/p ng;base64,YQ==|data:image/png,YQ==|x data:image/png;base64,YQ==',
	],
	'a URL': [
		toUrl,
		'http://example.com|https://example.com/a?b#c|HTTPS://EXAMPLE.COM|http://127.0.0.1:81',
		'example.com|ftp://example.com|https:example.com|https:///example.com|https:// example.com|https://example.com/a b|https://|https://:80|https://[::1|see https://example.com|https://exam\u200bple.com|https://example.com/\u202eb',
	],
	'an IP address': [
		toIpAddress,
		'0.0.0.0|10.20.30.40|255.255.255.255|::1|2001:DB8::ff',
		'256.0.0.1|1.2.3|1.2.3.4.5|01.2.3.4|1.2.3.x|1.2.3.1000|1.2..4|example.com|::g|1:2|[::1]|0x1.2.3.4',
	],
};

// The bar is also a sign of email addresses.
const listed = (texts: string) => texts.split(/(?<!\{)\|/);

describe.each(Object.entries(forms))('%s', (_, [convert, right, wrong]) => {
	it.each(listed(right))('accepts %j, with blanks around it, too', (text) => {
		expect(convert(text, zoned)).toBe(text);
		expect(convert(` ${text}\n`, zoned)).toBe(text);
	});

	it.each(listed(wrong))('refuses %j', (text) => {
		expect(() => convert(text, zoned)).toThrow(/^(is not|has|must)/);
	});
});

it.each([
	['own\u200ber@example.com', 'the character U+200B'],
	['\u202aowner@example.com\u202c', 'the character U+202A'],
	['own\u00ader@example.com', 'the character U+00AD'],
	['a\u0000b@example.com', 'the character U+0000'],
	['a\u2800b@example.com', 'the character U+2800'],
	['a\u00a0b@example.com', 'the character U+00A0'],
	['owner@example.com”', 'the character U+201D'],
	['Owner <owner@example.com>', '" "'],
	['MailTo:owner@example.com', '":"'],
	['<owner@example.com>', '"<"'],
	['owner@example.com>', '">"'],
	['owner@example.com)', '")"'],
	['"owner@example.com"', '"""'],
	["'owner@example.com'", `"'"`],
	['owner@example.com?subject=x', '"?"'],
	['owner\\@example.com', '"\\"'],
	['owner..b@example.com', '".."'],
	['owner.@example.com', '".@"'],
	['owner@.example.com', '"@."'],
	['.owner@example.com', '"."'],
	['owner@example.com.', '"."'],
])('the address %j is refused with its wrong character', (text, sign) => {
	const hint = ` contains ${sign}. Enter only the address, such as name@example.com`;
	expect(() => toEmail(text)).toThrow(/^is not an email address: ".*" contains/);
	expect(() => toEmail(text)).toThrow(hint);
	expect(() => toEmailEntry(text)).toThrow(/^contains an invalid email address: ".*" contains/);
});

it('a refusal repeats the value', () => {
	expect(() => toColor('red')).toThrow('is not a hex color, such as #2f80ed: "red"');
});
