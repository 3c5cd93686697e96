import { toUrl } from '../../shared/input/forms';
import { asRequired } from '../../shared/describe/about';
import { create, remove } from '../../shared/describe/changes';
import { queryOptions } from '../../shared/describe/fields';
import { getMany, reads, resource } from '../../shared/describe/resource';
import { json, number, text, toggle } from '../../shared/input/kinds';
import { made, on } from '../../shared/operation';
import { checkPage } from '../checkPage';

const url = text('url', 'URL', {
	placeholder: 'e.g. https://www.example.com/shop',
	as: toUrl,
	description:
		'URL of the page. It starts with http or https and belongs to the domain of the site.',
});

const compares = toggle('comparesEarlier', 'Compare with Earlier Check', {
	required: true,
	description: 'Whether the page must also be as an earlier check has found it',
});

/** The response of n8n's HTTP Request node: its parts may be missing, and the result then says so. */
const response = [
	text('pageStatus', 'Status', {
		default: '={{ $json.statusCode }}',
		placeholder: 'e.g. 200',
		description: 'HTTP status of the page',
		hint: 'In HTTP Request, turn on Include Response Headers and Status, and Never Error',
	}),
	text('pageHtml', 'Page', {
		default: '={{ $json.data }}',
		placeholder: 'e.g. <html>…</html>',
		description: 'The page as text in HTML',
		hint: 'In HTTP Request, choose Text as Response Format',
	}),
	text('pageError', 'Error', {
		default: '={{ $json.error }}',
		placeholder: 'e.g. The connection was refused',
		description: 'Why the page could not be fetched, if it could not',
		hint: 'In the settings of HTTP Request, choose Continue as On Error',
	}),
].map((field) => ({ ...field, required: true, takesAll: true }));

const size = (name: string, label: string, bound: string, percent: number, limits: object) =>
	number(name, label, {
		typeOptions: limits,
		default: percent,
		description: `The page must have ${bound} this % of the characters that it had before`,
	});

const check = reads('Check page', on('GET /sites', 'noSite'), {
	description:
		'Check a page from an HTTP Request node: status, title, size, text, and whether it shows an error',
	fields: [
		...response,
		asRequired(compares),
		json('earlierCheck', 'Earlier Check', {
			required: true,
			takesAll: true,
			description:
				'The output item of an earlier check of the page whose result was good, such as a row of a table. If there is none, the result is "first check".',
			// Always shown: n8n drops a hidden value, and the check would then be the first.
			belongsTo: { choice: compares, value: true },
		}),
		...queryOptions([
			text('mustContain', 'Must Contain', {
				placeholder: 'e.g. Add to cart',
				description: 'A text that the page must show, in any case',
			}),
			text('pageUrl', 'URL', {
				placeholder: 'e.g. https://www.example.com/shop',
				as: toUrl,
				description: 'URL of the page, for the output',
			}),
			size('smallestSize', 'Smallest Size (%)', 'at least', 50, { minValue: 0, maxValue: 100 }),
			size('largestSize', 'Largest Size (%)', 'at most', 200, { minValue: 100 }),
		]),
	],
	read: checkPage,
	costs: 'no request',
	answer: made({
		string: 'title url result reason checked_at earlier_title earlier_checked_at',
		number: 'status characters earlier_status earlier_characters',
		boolean: 'has_text earlier_has_text',
		array: 'same differs not_known',
	}),
});

/** Part B, 4.8. */
export const importantPage = resource('Important Page', 'cares', [
	getMany('Get many important pages', 'GET /sites/{siteId}/important-pages', { timezone: false }),
	create('Create important page', 'POST /sites/{siteId}/important-pages', { required: [url] }),
	remove('Delete important page', 'DELETE /sites/{siteId}/important-pages/{importantPageId}', {
		irreversible: 'if it was the last important page of the site, monitoring ends',
	}),
	check,
]);
