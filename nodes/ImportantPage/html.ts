import { nameForm } from '../shared/lib';

/** What a web page shows, as far as a check needs it. Pages come from anywhere, so each step takes linear time. */

/** Stands for a character whose entity is not in the tables below. */
const UNKNOWN = '\ufffc';

/** Entities of the characters from U+00A0 to U+00FF, in this order. */
const LATIN_1 =
	'nbsp|iexcl|cent|pound|curren|yen|brvbar|sect|uml|copy|ordf|laquo|not|shy|reg|macr|deg|plusmn|sup2|sup3|acute|micro|para|middot|cedil|sup1|ordm|raquo|frac14|frac12|frac34|iquest|Agrave|Aacute|Acirc|Atilde|Auml|Aring|AElig|Ccedil|Egrave|Eacute|Ecirc|Euml|Igrave|Iacute|Icirc|Iuml|ETH|Ntilde|Ograve|Oacute|Ocirc|Otilde|Ouml|times|Oslash|Ugrave|Uacute|Ucirc|Uuml|Yacute|THORN|szlig|agrave|aacute|acirc|atilde|auml|aring|aelig|ccedil|egrave|eacute|ecirc|euml|igrave|iacute|icirc|iuml|eth|ntilde|ograve|oacute|ocirc|otilde|ouml|divide|oslash|ugrave|uacute|ucirc|uuml|yacute|thorn|yuml';

/** Other entities that titles have, each with its character. */
const OTHERS =
	'amp&|lt<|gt>|quot"|apos\'|ndash–|mdash—|minus−|hellip…|lsquo‘|rsquo’|sbquo‚|prime′|ldquo“|rdquo”|bdquo„|Prime″|lsaquo‹|rsaquo›|larr←|rarr→|bull•|trade™|euro€|OEligŒ|oeligœ|ScaronŠ|scaronš|YumlŸ|ensp\u2002|emsp\u2003|thinsp\u2009|zwnj\u200c|zwj\u200d|lrm\u200e|rlm\u200f';

const named = new Map([
	...LATIN_1.split('|').map((name, at) => [name, String.fromCharCode(0xa0 + at)] as const),
	...OTHERS.split('|').map((entry) => [entry.slice(0, -1), entry.slice(-1)] as const),
]);

const ENTITY = /&(?:#x([\da-f]+);?|#(\d+);?|([a-z][a-z\d]*);)/gi;

/** The characters from 0x80 to 0x9f in Windows-1252, by which old pages number them. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** The character of a number, as browsers read it. */
function numbered(code: number): string {
	if (code >= 0x80 && code <= 0x9f) return WINDOWS_1252.charAt(code - 0x80);
	const isNone = code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff);
	return isNone ? '\ufffd' : String.fromCodePoint(code);
}

const decoded = (text: string) =>
	text.replace(ENTITY, (_, hex?: string, decimal?: string, name = '') => {
		if (hex) return numbered(parseInt(hex, 16));
		return decimal ? numbered(Number(decimal)) : (named.get(String(name)) ?? UNKNOWN);
	});

/** A page without comments and without what no browser shows. */
function withoutHidden(html: string): string {
	const hidden = /<!--|<(script|style|template)\b/gi;
	let shown = '';
	for (let at = 0; ;) {
		hidden.lastIndex = at;
		const open = hidden.exec(html);
		if (!open) return shown + html.slice(at);
		shown += html.slice(at, open.index);
		const end = open[1] ? new RegExp(`</${open[1]}`, 'gi') : /-->/g;
		end.lastIndex = hidden.lastIndex;
		if (!end.test(html)) return shown;
		at = end.lastIndex;
	}
}

/** Tags that do not end a word. */
const INLINE =
	/<\/?(?:a|abbr|b|bdi|bdo|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u|wbr)\b[^<>]*>/gi;

const TAG = /<[a-z/!?][^<>]*>/gi;

export interface Shown {
	/** Empty if there is none. */
	title: string;
	/** An entity in the title that is not known, so that the title is not known either. */
	unknown?: string;
	/** All that the page shows, with its title. */
	text: string;
}

export function shownBy(html: string): Shown {
	const shown = withoutHidden(html);
	const [head = ''] = shown.split(/<(?:body|svg)\b/i, 1);
	const [, inTitle = ''] = head.split(/<title\b[^<>]*>/i, 2);
	const [title = ''] = inTitle.split(/<\/title/i, 1);
	const unknown = title.match(ENTITY)?.find((each) => decoded(each) === UNKNOWN);
	return {
		title: nameForm(decoded(title)),
		...(unknown && { unknown }),
		text: nameForm(decoded(shown.replace(INLINE, '').replace(TAG, ' '))),
	};
}

/** What a CMS writes for plain quotes, dashes and dots. */
const FANCY: Array<[fancy: RegExp, plain: string]> = [
	[/[‘’‚′`´]/g, "'"],
	[/[“”„″]|''/g, '"'],
	[/[‐‑‒–—―−]|-{2,3}/g, '-'],
	[/…/g, '...'],
	[/(?<=\d)×(?=\d)/g, 'x'],
];

/** A text for comparison, with the same quotes, dashes and dots however they are written. */
export const plainForm = (text: string): string =>
	FANCY.reduce((form, [fancy, plain]) => form.replace(fancy, plain), nameForm(text));

/** Whether a page shows a text, in any case; undefined if an entity that is not known could be a part of it. */
export function shows(page: string, wanted: string): boolean | undefined {
	const [all = '', part = ''] = [page, wanted].map((text) => plainForm(text).toLowerCase());
	if (all.includes(part)) return true;
	const loose = [...part].map((letter) => `(?:${letter.replace(/\W/, '\\$&')}|${UNKNOWN})`);
	return all.includes(UNKNOWN) && new RegExp(loose.join('')).test(all) ? undefined : false;
}
