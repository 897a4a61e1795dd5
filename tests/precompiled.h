#pragma once
// As app/precompiled.h, for the tests.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/precompiled.h"
