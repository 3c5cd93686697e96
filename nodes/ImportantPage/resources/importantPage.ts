import { toUrl } from '../../shared/input/forms';
import {
	act,
	asRequired,
	create,
	getMany,
	json,
	number,
	onlyWith,
	queryOptions,
	remove,
	resource,
	text,
	toggle,
	withSites,
} from '../../shared/describe';
import type { Operation } from '../../shared/operation';
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
		required: true,
		takesAll: true,
		description: 'HTTP status of the page',
		hint: 'In HTTP Request, turn on Include Response Headers and Status, and Never Error',
	}),
	text('pageHtml', 'Page', {
		default: '={{ $json.data }}',
		placeholder: 'e.g. <html>…</html>',
		required: true,
		takesAll: true,
		description: 'The page as text in HTML',
		hint: 'In HTTP Request, choose Text as Response Format',
	}),
	text('pageError', 'Error', {
		default: '={{ $json.error }}',
		placeholder: 'e.g. The connection was refused',
		required: true,
		takesAll: true,
		description: 'Why the page could not be fetched, if it could not',
		hint: 'In the settings of HTTP Request, choose Continue as On Error',
	}),
];

const check: Operation = {
	...act('Check page', withSites('GET /sites'), {
		description:
			'Check a page that an HTTP Request node has fetched: its status, title, size and text, and whether it is a page of an error. Costs no request.',
		fields: [
			...response,
			asRequired(compares),
			onlyWith(
				compares,
				true,
				json('earlierCheck', 'Earlier Check', {
					required: true,
					takesAll: true,
					description:
						'The output item of an earlier check of the page, such as a row of a table. If there is none, the result is "first check".',
				}),
			),
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
				number('smallestSize', 'Smallest Size (%)', {
					typeOptions: { minValue: 0, maxValue: 100 },
					default: 50,
					description: 'The page must have at least this part of the characters that it had before',
				}),
				number('largestSize', 'Largest Size (%)', {
					typeOptions: { minValue: 100 },
					default: 200,
					description: 'The page must have at most this part of the characters that it had before',
				}),
			]),
		],
		kind: 'nothing',
	}),
	composed: { kind: 'reads', read: checkPage, costs: 'no request' },
	answer: {
		kind: 'made',
		fields: {
			...{ title: 'string', url: 'string', reason: 'string', status: 'number' },
			...{ earlier_status: 'number', checked_at: 'string', earlier_checked_at: 'string' },
			...{ earlier_title: 'string', result: 'string', same: 'array', differs: 'array' },
			...{ not_known: 'array', characters: 'number', has_text: 'boolean' },
			...{ earlier_characters: 'number', earlier_has_text: 'boolean' },
		},
	},
};

/** Part B, 4.8. */
export const importantPage = resource('Important Page', 'importantPage', 'cares', [
	getMany('Get many important pages', 'GET /sites/{siteId}/important-pages', { timezone: false }),
	create('Create important page', 'POST /sites/{siteId}/important-pages', {
		required: [url],
	}),
	remove('Delete important page', 'DELETE /sites/{siteId}/important-pages/{importantPageId}', {
		irreversible: 'if it was the last important page of the site, monitoring ends',
	}),
	check,
]);
