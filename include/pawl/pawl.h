// Everything: #include <pawl/pawl.h>
#pragma once

#include "pawl/client.h"
#include "pawl/error.h"
#include "pawl/issue.h"
#include "pawl/loop.h"
