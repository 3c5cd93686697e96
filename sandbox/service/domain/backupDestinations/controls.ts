import { control } from '../../http/module';
import { arrayOf, object, oneOf } from '../../http/schema';
import { storageProviders } from './rows';

export const providerControls = [
	control({
		method: 'POST',
		path: '/providers',
		does: `Lets storage providers be unavailable until the service ends: {"unavailable": [providers]}; [] ends it. Providers: ${storageProviders.join(', ')}`,
		body: object({ unavailable: arrayOf(oneOf(...storageProviders)) }),
		handle({ world, body }) {
			world.settings.unavailableProviders = body.unavailable;
			return { unavailable: body.unavailable };
		},
	}),
];
