import { toUrl } from '../../shared/input/forms';
import { create, getMany, remove, resource, text } from '../../shared/describe';

const url = text('url', 'URL', {
	placeholder: 'e.g. https://www.example.com/shop',
	as: toUrl,
	description:
		'URL of the page. It starts with http or https and belongs to the domain of the site.',
});

/** Part B, 4.8. */
export const importantPage = resource('Important Page', 'importantPage', 'cares', [
	getMany('Get many important pages', 'GET /sites/{siteId}/important-pages', { timezone: false }),
	create('Create important page', 'POST /sites/{siteId}/important-pages', {
		required: [url],
	}),
	remove('Delete important page', 'DELETE /sites/{siteId}/important-pages/{importantPageId}', {
		irreversible: 'if it was the last important page of the site, monitoring ends',
	}),
]);
