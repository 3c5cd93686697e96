import type { Route } from '../kit';
import { siteRoutes } from './sites';
import { tagRoutes } from './tags';
import { taskRoutes } from './tasks';

/** Every operation that the service offers. */
export const routes: Route[] = [...siteRoutes, ...tagRoutes, ...taskRoutes];
