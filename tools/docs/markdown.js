const anchor = (heading) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

const table = (head, rows) =>
	[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const textOf = ({ description, hint }) =>
	[description, hint].filter(Boolean).map(markdown).map(sentence).join(' ');

/** Texts of the panel have links in HTML. */
const markdown = (text) =>
	text.replace(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, '[$2]($1)').replaceAll('<', '&lt;');

const sentence = (text) => (/[.!?]$/.test(text) ? text : `${text}.`);

module.exports = { anchor, markdown, sentence, table, textOf };
